// The classes: a list to search and to walk through, and one class in full, drawn when it is asked for.

const children = new Map();
const routes = new Map();
report.classes.forEach((item, place) => {
  // Two keys can look the same once unsafe characters are escaped.
  item.route = routes.has(item.key) ? `${item.key}#${place}` : item.key;
  routes.set(item.route, place);
  if (item.parent !== undefined) children.set(item.parent, [...(children.get(item.parent) ?? []), place]);
});

function packageName(place) {
  const found = report.packages[place];
  return found === undefined ? "(no package)" : found.name ?? `(no name) ${found.directory}`;
}

function classRoute(item) {
  return `class/${encodeURIComponent(item.route)}`;
}

function classLink(place, className) {
  const item = report.classes[place];
  return el("a", { href: `#${classRoute(item)}`, class: className }, item.name);
}

function inheritance(place) {
  const item = report.classes[place];
  const above = [];
  const seen = new Set([place]);
  let current = item;
  while (current.parent !== undefined && !seen.has(current.parent)) {
    seen.add(current.parent);
    above.unshift(el("li", {}, classLink(current.parent, "node"), foreign(current.parent, item), rivalsOf(current)));
    current = report.classes[current.parent];
  }
  if (current.parent === undefined && current.extends) above.unshift(topOf(current));
  const below = children.get(place) ?? [];
  const subclasses = el("ul", { class: "children", "aria-label": "Classes that extend it" });
  const more = growing(subclasses, below, (child) => el("li", {}, classLink(child, "node")), 40);
  return el("ol", { class: "chain", "aria-label": "Inheritance, from the base to this class" }, above,
    el("li", {}, el("span", { class: "node self", "aria-current": "true" }, item.name)),
    below.length > 0 && el("li", {}, subclasses, more));
}

function foreign(place, item) {
  const owner = report.classes[place].package;
  return owner === item.package ? null : el("span", { class: "soft small" }, ` ${packageName(owner)}`);
}

const PARENT_RULES = {
  framework: " of the framework",
  external: " is imported from outside of the scanned directory",
  "not-found": " is not in this scan",
};

/** The end of what is known of a chain. */
function topOf(item) {
  const told = item.at === undefined ? PARENT_RULES[item.rule] ?? " was not looked up" : ` in ${item.at}`;
  return el("li", {}, el("span", { class: "node away" }, item.extends), el("span", { class: "soft small" }, told), rivalsOf(item));
}

function rivalsOf(item) {
  return item.rivals ? el("span", { class: "soft small" }, `, taken because no import decides; the name is also in ${item.rivals.join(", ")}`) : null;
}

function fieldTable(item) {
  if (!item.fields?.length) return el("p", { class: "soft" }, "It has no columns.");
  return table(`Columns of ${item.name}`, [
    { title: "Name", cell: (field) => el("code", {}, field.name) },
    { title: "Type", cell: (field) => [field.type, field.related ? [" to ", el("code", {}, field.related)] : null] },
    { title: "From", cell: (field) => field.origin !== undefined ? classLink(field.origin) : field.from ?? "itself" },
    { title: "Default", cell: (field) => field.default === undefined ? "" : el("code", {}, field.default) },
    { title: "Notes", kind: "long", cell: (field) => [(field.notes ?? []).join(", "), field.about ? [field.notes ? ". " : "", field.about] : null] },
  ], item.fields);
}

/** Columns of ancestors that have a table of their own, so that the class itself does not list them. */
function apartFields(place) {
  const own = new Set((report.classes[place].fields ?? []).map((field) => field.name));
  const seen = new Set([place]);
  const rows = [];
  let current = report.classes[place].parent;
  while (current !== undefined && !seen.has(current)) {
    seen.add(current);
    const fields = (report.classes[current].fields ?? []).filter((field) => field.origin === undefined && field.from === undefined && !own.has(field.name));
    fields.forEach((field) => own.add(field.name));
    if (fields.length) rows.push(el("li", {}, classLink(current), ": ", fields.map((field) => field.name).join(", ")));
    current = report.classes[current].parent;
  }
  return rows.length ? [el("h4", {}, "Also declared by its ancestors, but no columns of its manifest entry"), el("ul", { class: "plain" }, rows)] : [];
}

function methodList(item) {
  if (!item.methods?.length) return [];
  return [el("h4", {}, "Methods"), el("ul", { class: "plain" }, item.methods.map((method) => el("li", {},
    el("code", {}, method.signature), method.isWithheld ? [" ", tag("closed", "not offered")] : null,
    method.about ? el("span", { class: "soft" }, ` ${method.about}`) : null)))];
}

function surfaceFacts(item) {
  if (!item.isListed) return [];
  return [el("h4", {}, "What it offers"),
    item.isInDoubt && el("p", { class: "remark" }, "A part of this file could not be read, so the surfaces may be other than shown. See the findings below."),
    el("dl", { class: "facts" }, SURFACES.flatMap((name, place) => [el("dt", {}, name), el("dd", {}, stateText(item.surfaces[place]))]))];
}

function classDetail(place) {
  const item = report.classes[place];
  const heading = el("h3", { tabindex: "-1" }, item.name);
  const findings = report.findings.filter((finding) => finding.file === item.file);
  return el("article", { class: "detail", "aria-label": item.name },
    el("p", { class: "back" }, link("classes", "Back to the list")),
    heading,
    el("p", {}, position(item.file, item.line)),
    el("dl", { class: "facts" },
      el("dt", {}, "Package"), el("dd", {}, link(`package/${item.package ?? ""}`, packageName(item.package))),
      item.collection ? [el("dt", {}, "Collection"), el("dd", {}, String(item.collection))] : null,
      item.strategy ? [el("dt", {}, "Table"), el("dd", {}, item.strategy === "sti" ? "one for the whole family (sti)" : item.strategy === "cti" ? "its own (cti)" : item.strategy)] : null,
      !item.isListed ? [el("dt", {}, "Kind"), el("dd", {}, "a class that is in no manifest")]
        : !item.isModel ? [el("dt", {}, "Kind"), el("dd", {}, "a class without @smrt()")] : null),
    surfaceFacts(item),
    el("h4", {}, "Inheritance"), inheritance(place),
    item.isListed ? [el("h4", {}, "Columns"), fieldTable(item), apartFields(place)] : null,
    methodList(item),
    item.config ? [el("h4", {}, "Config"), el("pre", { class: "config" }, item.config)] : null,
    findings.length > 0 && [el("h4", {}, "Findings in its file"), findings.slice(0, 20).map(findingEntry),
      el("p", {}, link(`findings/${encodeURIComponent(item.file)}`, `All findings in this file (${findings.length})`))]);
}


function classesView() {
  const list = el("ul", { class: "list", keydown: walkList });
  const more = el("div", {});
  const status = el("p", { class: "soft small", role: "status" });
  const split = el("div", { class: "split" });
  const slot = el("div", {}, el("p", { class: "soft" }, "Choose a class to see its columns, where they come from, and what it offers."));
  const state = { text: "", mode: "name", package: "" };
  const filters = [
    searchBox("Find classes", { id: "find", "aria-describedby": "find-keys" }, (text) => update({ text })),
    select("Look in", Object.entries(MODES).map(([mode, { title }]) => [mode, title]), (mode) => update({ mode })),
    select("Package", [["", "all"], ...report.packages.map((_, place) => [String(place), packageName(place)])], (chosen) => update({ package: chosen })),
  ];
  function update(change) {
    Object.assign(state, change);
    const found = findClasses(state.text, state.mode).filter((place) => state.package === "" || report.classes[place].package === Number(state.package));
    list.replaceChildren();
    more.replaceChildren(...growing(list, found, listEntry));
    status.textContent = found.length === report.classes.length ? counted(found.length, "class", "classes") : `${number(found.length)} of ${counted(report.classes.length, "class", "classes")}`;
    list.hidden = found.length === 0;
  }
  filters[0].box.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown") focusEntry(event, list.querySelector("a"));
  });
  split.append(el("div", { class: "finder" }, status, list, more), slot);
  const section = view("Classes", el("div", { class: "filters" }, filters.map(({ label }) => label)),
    el("p", { class: "soft small", id: "find-keys" }, el("kbd", {}, "/"), " goes to the search, arrow keys walk through the list, ", el("kbd", {}, "Esc"), " leads back."), split);
  update({});
  return {
    section,
    focusSearch() { filters[0].box.focus(); filters[0].box.select(); },
    ofPackage(chosen) { filters[2].box.value = chosen; update({ package: filters[2].box.value }); showClass(null); },
    showClass,
  };
  function showClass(place) {
    split.classList.toggle("has-detail", place !== null);
    for (const entry of list.querySelectorAll("[aria-current]")) entry.removeAttribute("aria-current");
    if (place === null) return null;
    const detail = classDetail(place);
    slot.replaceChildren(detail);
    const route = `#${classRoute(report.classes[place])}`;
    const entry = [...list.querySelectorAll("a")].find((other) => other.getAttribute("href") === route);
    entry?.setAttribute("aria-current", "true");
    detail.addEventListener("keydown", (event) => { if (event.key === "Escape") focusEntry(event, entry ?? filters[0].box); });
    return detail.querySelector("h3");
  }
  function walkList(event) {
    const entry = event.target.closest("li");
    const steps = { ArrowDown: entry?.nextElementSibling, ArrowUp: entry?.previousElementSibling, Home: list.firstElementChild, End: list.lastElementChild };
    if (event.key === "Escape" || (event.key === "ArrowUp" && !entry?.previousElementSibling)) focusEntry(event, filters[0].box);
    else if (event.key in steps) focusEntry(event, steps[event.key]?.querySelector("a"));
  }
}

function focusEntry(event, target) {
  event.preventDefault();
  target?.focus();
}

function listEntry(place) {
  const item = report.classes[place];
  return el("li", {}, el("a", { href: `#${classRoute(item)}` }, item.name,
    el("span", { class: "where" }, packageName(item.package), item.isListed ? null : ", in no manifest")));
}
