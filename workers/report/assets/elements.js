// Elements, tables, lists that grow on demand. Whatever comes from the data becomes a text node, never markup.

const SVG = "http://www.w3.org/2000/svg";
const report = JSON.parse(document.getElementById("data").textContent);
const PAGE_SIZE = 100;

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") node.addEventListener(name, value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

function el(name, attributes, ...children) {
  return fill(document.createElement(name), attributes, children);
}

function svg(name, attributes, ...children) {
  return fill(document.createElementNS(SVG, name), attributes, children);
}

/** Turns `{ click: f }` style handlers, attributes and children into a button. */
function button(text, click, attributes) {
  return el("button", { type: "button", click, ...attributes }, text);
}

function link(route, ...children) {
  return el("a", { href: `#${route}` }, ...children);
}

function tag(kind, text = kind) {
  return el("span", { class: `tag ${kind}` }, text);
}

function number(value) {
  return value.toLocaleString("en");
}

function counted(count, noun, plural = `${noun}s`) {
  return `${number(count)} ${count === 1 ? noun : plural}`;
}

function seconds(value) {
  return value >= 100 ? `${number(Math.round(value))} s` : `${value.toPrecision(3).replace(/\.?0+$/, "")} s`;
}

function megabytes(value) {
  return `${number(Math.round(value / 1e5) / 10)} MB`;
}

function moment(text) {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/.test(text) ? `${text.slice(0, 16).replace("T", " ")} UTC` : text;
}

/** Words of a phrase, each a text and whether it is quoted from a source. */
function phrase(words) {
  return words.flatMap(([text, isQuoted]) => [isQuoted ? el("code", {}, text) : text, " "]);
}

function position(file, line, column) {
  return el("span", { class: "path" }, [file || "(the scan as a whole)", line, column].filter(Boolean).join(":"));
}

/**
 * A table in a box of its own that scrolls sideways.
 * Columns are `{ title, cell(row), kind }`; the first one heads its row.
 */
function table(caption, columns, rows, attributes) {
  const body = el("tbody", {});
  const box = el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
    el("table", attributes ?? {},
      el("caption", {}, caption),
      el("thead", {}, el("tr", {}, columns.map(({ title, kind }) => el("th", { scope: "col", class: kind }, title)))),
      body));
  return [box, ...growing(body, rows, (row) => el("tr", {}, columns.map(({ cell, kind }, place) =>
    place ? el("td", { class: kind }, cell(row)) : el("th", { scope: "row", class: kind }, cell(row)))))];
}

/** Fills a list with the first items, and returns the button that shows more when there are more. */
function growing(list, items, make, size = PAGE_SIZE) {
  let shown = 0;
  const rest = button("", () => {
    const first = shown;
    show();
    const target = list.children[first];
    (target.querySelector("a, button") ?? rest).focus();
  }, { class: "more" });
  function show() {
    list.append(...items.slice(shown, shown + size).map(make));
    shown = Math.min(shown + size, items.length);
    rest.textContent = `Show ${number(Math.min(size, items.length - shown))} more of ${number(items.length - shown)}`;
    rest.hidden = shown >= items.length;
  }
  show();
  return items.length > size ? [rest] : [];
}

function select(label, options, change) {
  const box = el("select", { change: () => change(box.value) },
    options.map(([value, text]) => el("option", { value }, text)));
  return { box, label: el("label", {}, label, box) };
}

function searchBox(label, attributes, input) {
  const box = el("input", { type: "search", autocomplete: "off", spellcheck: "false", input: () => input(box.value), ...attributes });
  return { box, label: el("label", { class: "wide" }, label, box) };
}

/** A part of the page with its heading; the heading takes the focus when the part is opened. */
function view(title, ...children) {
  return el("section", { "aria-label": title }, el("h2", { tabindex: "-1" }, title), children);
}
