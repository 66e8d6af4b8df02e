// What is open: classes through api, mcp and cli; intents and playbooks by plane and effect.

const SURFACES = ["api", "mcp", "cli"];
const STATES = {
  default: { title: "open by default", rank: 1 },
  unknown: { title: "not known", rank: 0 },
  open: { title: "open as stated", rank: 2 },
  except: { title: "open but for some actions", rank: 3 },
  only: { title: "some actions", rank: 4 },
  closed: { title: "closed", rank: 5 },
};
const models = report.classes.map((item, place) => ({ item, place })).filter(({ item }) => item.isModel);

function stateText({ state, actions = [] }) {
  const words = { default: "everything, by default", open: "everything", except: `everything but ${actions.join(", ")}`, only: actions.join(", "), closed: "closed", unknown: "not known", none: "nothing, it has no @smrt()" };
  return el("span", { class: `state state-${state}` }, words[state]);
}

/** How many models are in each state, by surface. */
function surfaceStacks() {
  return el("dl", { class: "stacks" }, SURFACES.flatMap((name, surface) => {
    const parts = Object.keys(STATES).map((kind) => ({ kind, count: models.filter(({ item }) => item.surfaces[surface].state === kind).length }));
    return [el("dt", {}, name), el("dd", {}, stackedBar(parts), el("ul", { class: "legend" }, parts.filter((part) => part.count).map((part) =>
      el("li", {}, el("span", { class: `state state-${part.kind}` }, `${number(part.count)} ${STATES[part.kind].title}`)))))];
  }));
}

function opennessOf(item) {
  return item.surfaces.reduce((sum, { state }) => sum + STATES[state].rank, item.isInDoubt ? -100 : 0);
}

function openView() {
  const body = el("div", {});
  const state = { kind: "", package: "" };
  const sorted = [...models].sort((one, other) => opennessOf(one.item) - opennessOf(other.item) || one.place - other.place);
  const kinds = select("Show", [["", "all models"], ...Object.entries(STATES).map(([kind, { title }]) => [kind, title]), ["doubt", "models in doubt"]], (kind) => update({ kind }));
  const packages = select("Package", [["", "all"], ...report.packages.map((_, place) => [String(place), packageName(place)])], (chosen) => update({ package: chosen }));
  function update(change) {
    Object.assign(state, change);
    const rows = sorted.filter(({ item }) => (state.package === "" || item.package === Number(state.package))
      && (!state.kind || (state.kind === "doubt" ? item.isInDoubt : item.surfaces.some((surface) => surface.state === state.kind))));
    body.replaceChildren(...table(counted(rows.length, "model"), [
      { title: "Model", cell: ({ place, item }) => [classLink(place), item.isInDoubt ? [" ", tag("error", "in doubt")] : null, el("span", { class: "soft small" }, ` ${packageName(item.package)}`)] },
      ...SURFACES.map((name, surface) => ({ title: name, cell: ({ item }) => stateText(item.surfaces[surface]) })),
    ], rows));
  }
  update({});
  return view("Open surfaces",
    el("p", {}, "What each model offers through its generated API, to agents by MCP, and on the command line. A surface that its ", el("code", {}, "@smrt()"),
      " does not mention is open for every action. A model is in doubt when something in its file could not be read."),
    surfaceStacks(), el("div", { class: "filters" }, kinds.label, packages.label), body);
}

const EFFECTS = ["read", "write", "destructive"];

function textOf(value) {
  return value === null || value === undefined ? "" : typeof value === "object" ? JSON.stringify(value) : String(value);
}

function planesOf(entry) {
  return Array.isArray(entry.planes) ? entry.planes.map(String) : [];
}

function effectOf(intent) {
  return textOf(intent.capability?.effect) || "not stated";
}

function step(entry) {
  if (entry?.kind === "intent") return ["intent ", el("code", {}, textOf(entry.id))];
  const found = routes.get(entry?.model);
  return [found === undefined ? el("code", {}, textOf(entry?.model)) : classLink(found), " ", el("code", {}, textOf(entry?.action))];
}

function intentTable(intents) {
  return table(counted(intents.length, "intent"), [
    { title: "Intent", cell: (intent) => el("code", {}, intent.id) },
    { title: "Effect", cell: (intent) => tag(EFFECTS.includes(effectOf(intent)) ? effectOf(intent) : "info", effectOf(intent)) },
    { title: "Planes", cell: (intent) => planesOf(intent).join(", ") },
    { title: "Description", kind: "long", cell: (intent) => [textOf(intent.description), intent.capability?.openWorld === true ? [" ", tag("warning", "open world")] : null] },
    { title: "Target", kind: "long", cell: (intent) => Object.values(intent.target ?? {}).map(textOf).join(" ") },
    { title: "File", kind: "long", cell: (intent) => position(textOf(intent.filePath)) },
  ], intents);
}

function playbookTable() {
  return table(counted(report.playbooks.length, "playbook"), [
    { title: "Playbook", cell: (entry) => [el("code", {}, entry.key), entry.enabled === false ? [" ", tag("info", "disabled")] : null] },
    { title: "Planes", cell: (entry) => planesOf(entry).join(", ") },
    { title: "What it does", kind: "long", cell: (entry) => [el("b", {}, textOf(entry.title)), el("br"), textOf(entry.description)] },
    { title: "Steps", kind: "long", cell: (entry) => el("ol", { class: "plain" }, (Array.isArray(entry.steps) ? entry.steps : []).map((item) => el("li", {}, step(item)))) },
    { title: "File", kind: "long", cell: (entry) => position(textOf(entry.filePath)) },
  ], report.playbooks);
}

function agentView() {
  const planes = [...new Set([...report.intents, ...report.playbooks].flatMap(planesOf))].sort();
  const effects = [...new Set([...EFFECTS, ...report.intents.map(effectOf)])];
  const body = el("div", {});
  const cells = [];
  let chosen = null;
  const isIn = (intent, plane, effect) => planesOf(intent).includes(plane) && effectOf(intent) === effect;
  function choose(cell) {
    chosen = chosen === cell ? null : cell;
    for (const other of cells) other.setAttribute("aria-pressed", String(other === chosen));
    const [plane, effect] = chosen?.value.split("\n") ?? [];
    body.replaceChildren(...intentTable(report.intents.filter((intent) => !chosen || isIn(intent, plane, effect))));
  }
  function cellOf(plane, effect) {
    const count = report.intents.filter((intent) => isIn(intent, plane, effect)).length;
    if (!count) return "0";
    const cell = button(number(count), () => choose(cell), { value: `${plane}\n${effect}`, "aria-pressed": "false", "aria-label": `${counted(count, "intent")} of effect ${effect} on plane ${plane}` });
    cells.push(cell);
    return cell;
  }
  body.append(...intentTable(report.intents));
  return view("Agent surface",
    el("p", {}, "What agents are offered by declaration. Choose a number to see these intents alone."),
    table("Intents by plane and effect", [
      { title: "Plane", cell: (plane) => plane },
      ...effects.map((effect) => ({ title: effect, cell: (plane) => cellOf(plane, effect) })),
      { title: "playbooks", cell: (plane) => number(report.playbooks.filter((entry) => planesOf(entry).includes(plane)).length) },
    ], planes),
    el("h3", {}, "Intents"), body, el("h3", {}, "Playbooks"), playbookTable());
}
