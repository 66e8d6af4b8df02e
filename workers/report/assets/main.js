// Which part is shown, by the address; the theme; the keys.

const THEMES = ["system", "light", "dark"];
const main = document.getElementById("main");
const made = {};
const PARTS = {
  overview: { title: "Overview", make: () => ({ section: overviewView() }) },
  changes: { title: "Changes", make: () => ({ section: changesView() }), count: report.changes ? allChanges().length : undefined },
  open: { title: "Open surfaces", make: () => ({ section: openView() }) },
  classes: { title: "Classes", make: classesView, count: report.classes.length },
  agent: { title: "Agent surface", make: () => ({ section: agentView() }), count: report.intents.length + report.playbooks.length },
  findings: { title: "Findings", make: findingsView, count: report.findings.length },
  packages: { title: "Packages", make: () => ({ section: packagesView() }), count: report.packages.length },
  run: { title: "Run", make: () => ({ section: runView() }) },
};

/** Shows one part, which is made when it is asked for first. */
function open(name) {
  made[name] ??= PARTS[name].make();
  const { section } = made[name];
  if (!section.isConnected) main.append(section);
  for (const [other, part] of Object.entries(made)) part.section.hidden = other !== name;
  for (const entry of document.querySelectorAll("nav a")) {
    if (entry.getAttribute("href") === `#${name}`) entry.setAttribute("aria-current", "page");
    else entry.removeAttribute("aria-current");
  }
  return made[name];
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Shows what the address names and returns the heading of it. */
function follow() {
  const [name, ...parts] = location.hash.slice(1).split("/");
  const rest = decoded(parts.join("/"));
  if (name === "class" && routes.has(rest)) {
    document.title = `${report.classes[routes.get(rest)].name} | Scan report`;
    return open("classes").showClass(routes.get(rest));
  }
  const known = { class: "classes", package: "classes" }[name] ?? (name in PARTS ? name : "overview");
  const part = open(known);
  document.title = `${PARTS[known].title} | Scan report`;
  if (name === "package") part.ofPackage(rest);
  else if (known === "classes") part.showClass(null);
  if (known === "findings") part.ofText(rest);
  return part.section.querySelector("h2");
}

function setTheme(theme) {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  const toggle = document.getElementById("theme");
  toggle.textContent = `Theme: ${theme}`;
  toggle.value = theme;
}

function remembered() {
  try {
    return localStorage.getItem("scan-report-theme");
  } catch {
    return null; // Browsers may refuse storage to files.
  }
}

function remember(theme) {
  try {
    localStorage.setItem("scan-report-theme", theme);
  } catch {
    // The choice then lasts as long as the page.
  }
}

document.getElementById("theme").addEventListener("click", ({ currentTarget }) => {
  const next = THEMES[(THEMES.indexOf(currentTarget.value) + 1) % THEMES.length];
  setTheme(next);
  remember(next);
});
document.getElementById("skip").addEventListener("click", (event) => focusEntry(event, main));
document.addEventListener("keydown", (event) => {
  const isTyping = event.target.closest("input, select, textarea");
  if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  open("classes").showClass(null);
  history.replaceState(null, "", "#classes");
  made.classes.focusSearch();
});
addEventListener("hashchange", () => {
  const heading = follow();
  heading?.focus({ preventScroll: true });
  heading?.scrollIntoView({ block: "nearest" });
});

setTheme(THEMES.includes(remembered()) ? remembered() : "system");
document.getElementById("nav").append(...Object.entries(PARTS).map(([name, { title, count }]) =>
  link(name, title, count === undefined ? null : [" ", el("span", { class: "count" }, number(count))])));
document.getElementById("made").textContent = `Made by ${textOf(report.tool.name)} ${textOf(report.tool.version)}. This page loads nothing and sends nothing.`;
follow();
