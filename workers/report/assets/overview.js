// The first look, the packages, and what the run took.

const TREND_LINES = [["models", "Models", number], ["files", "Files", number], ["intents", "Intents", number], ["error", "Errors", number], ["warning", "Warnings", number], ["seconds", "Duration", seconds]];

function delta(key) {
  const before = report.changes?.totals[key];
  const now = report.totals[key];
  if (before === undefined || now === undefined) return "";
  return before === now ? "as before" : `${now > before ? "+" : "−"}${number(Math.abs(now - before))} since the run before`;
}

function card(title, key, route) {
  return el("div", { class: "card" }, el("dt", {}, title),
    el("dd", {}, link(route, number(report.totals[key] ?? 0)), el("span", { class: "delta" }, delta(key))));
}

function changesAtAGlance() {
  if (!report.changes) return [el("p", { class: "soft" }, "No earlier run was compared. ", link("changes", "How to compare"))];
  const changes = allChanges();
  const opened = changes.filter((change) => change.exposure === "opened" || change.exposure === "shifted");
  const grave = [...opened, ...changes.filter((change) => change.impact === "breaking" && !opened.includes(change))];
  const rest = changes.length - Math.min(grave.length, 6);
  return [
    el("p", {}, changes.length ? `${counted(changes.length, "change")}, ${number(report.changes.counts.breaking)} of them breaking. ${opened.length ? `${number(opened.length)} may open a surface.` : "None opens a surface."}` : "Nothing changed since the run before."),
    el("ul", { class: "plain" }, grave.slice(0, 6).map(titledChange)),
    rest > 0 && el("p", {}, link("changes", `All ${number(changes.length)} changes`)),
  ];
}

function findingsAtAGlance() {
  if (!report.findings.length) return [el("p", {}, "There are no findings.")];
  const errors = report.totals.error ?? 0;
  return [
    el("p", {}, `${counted(errors, "error")}, ${counted(report.totals.warning ?? 0, "warning")}.`),
    el("ul", { class: "plain" }, gravest().slice(0, 5).map((finding) => el("li", {}, tag(finding.severity), " ", el("code", {}, finding.code), " ",
      link(`findings/${encodeURIComponent(finding.file)}`, position(finding.file, finding.line)), el("br"), finding.message))),
    el("p", {}, link("findings", "All findings with their source lines")),
  ];
}

function trends() {
  const lines = TREND_LINES.map(([key, title, format]) => [title, report.trends.map((run) => run[key]).filter((value) => value !== undefined), format]).filter(([, values]) => values.length);
  if (report.trends.length < 2) return [];
  return [el("h3", {}, `Trends over ${counted(report.trends.length, "kept run")}`),
    el("ul", { class: "charts" }, lines.map(([title, values, format]) => lineChart(title, values, format))),
    el("details", {}, el("summary", {}, "The same as a table"), table("Kept runs, the newest first", [
      { title: "Run", cell: (run) => run.name },
      ...TREND_LINES.map(([key, title, format]) => ({ title, kind: "number", cell: (run) => run[key] === undefined ? "" : format(run[key]) })),
    ], [...report.trends].reverse()))];
}

function overviewView() {
  const started = report.run.startedAt;
  return view("Overview",
    el("p", {}, `${counted(report.totals.models ?? 0, "model")} in ${counted(report.packages.length, "package")}, found in ${counted(report.totals.files ?? 0, "file")}`,
      started ? `, scanned on ${moment(started)}` : "", "."),
    report.remarks.map((text) => el("p", { class: "remark" }, text)),
    el("dl", { class: "cards" }, card("Models", "models", "classes"), card("Intents", "intents", "agent"), card("Playbooks", "playbooks", "agent"),
      card("Errors", "error", "findings"), card("Warnings", "warning", "findings")),
    el("div", { class: "columns" },
      el("section", {}, el("h3", {}, "What is open"), surfaceStacks(), el("p", {}, link("open", "Every model and what it offers"))),
      el("section", {}, el("h3", {}, "What changed"), changesAtAGlance(), el("h3", {}, "What is wrong"), findingsAtAGlance())),
    trends());
}

function packagesView() {
  const counts = [["files", "Files"], ["classes", "Classes"], ["models", "Models"], ["error", "Errors"], ["warning", "Warnings"]]
    .filter(([key]) => report.packages.some((item) => item[key] !== undefined));
  return view("Packages", table(counted(report.packages.length, "package"), [
    { title: "Package", cell: (item) => link(`package/${report.packages.indexOf(item)}`, packageName(report.packages.indexOf(item))) },
    { title: "Version", cell: (item) => textOf(item.version) },
    { title: "Directory", cell: (item) => position(item.directory) },
    ...counts.map(([key, title]) => ({ title, kind: "number", cell: (item) => number(item[key] ?? 0) })),
  ], report.packages));
}

function runView() {
  const { run } = report;
  const facts = [["Started", run.startedAt && moment(run.startedAt)], ["Duration", run.seconds !== undefined && seconds(run.seconds)],
    ["Speed", run.megabytesPerSecond !== undefined && `${run.megabytesPerSecond} MB/s`], ["Files", run.files !== undefined && number(run.files)],
    ["Sources", run.sourceBytes !== undefined && megabytes(run.sourceBytes)], ["Artifacts", run.artifactBytes !== undefined && megabytes(run.artifactBytes)],
    ["Backend", run.backend], ["Workers", run.workers !== undefined && number(run.workers)], ["Shards", run.shards !== undefined && number(run.shards)],
    ["Lost shards", run.lostShards !== undefined && number(run.lostShards)], ["Retried shards", run.retriedShards !== undefined && number(run.retriedShards)],
    ["Python", run.python], ["Platform", run.platform]].filter(([, text]) => text);
  const chart = (title, head, values, format) => values && Object.keys(values).length ? barChart(title, head, Object.entries(values), format) : null;
  const counts = (title, values) => values && Object.keys(values).length ? table(title, [
    { title: "Count", cell: ([name]) => name }, { title: "", kind: "number", cell: ([, value]) => number(value) }], Object.entries(values)) : null;
  const memory = run.peakMemory.map((value, place) => [place ? `worker ${place}` : "driver", value]);
  const shards = run.shardSeconds.map((value, place) => [`shard ${place + 1}`, value]).sort((one, other) => other[1] - one[1]);
  return view("Run", el("dl", { class: "facts" }, facts.flatMap(([name, text]) => [el("dt", {}, name), el("dd", {}, text)])),
    el("div", { class: "columns" }, [
      chart("Time of each phase", "Phase", run.phases, seconds),
      chart("Processor time of the driver", "Phase", run.driverProcessorSeconds, seconds),
      counts("Work", run.work),
      counts("Cache", run.cache),
      memory.length ? barChart("Peak memory", "Process", memory, megabytes) : null,
      shards.length ? barChart("Time of each shard, the longest first", "Shard", shards, seconds) : null,
    ].filter(Boolean).map((parts) => el("div", {}, parts))));
}
