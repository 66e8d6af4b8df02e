// What is wrong: every diagnostic with its source line, and what its code means.

const SEVERITIES = ["error", "warning", "info"];

function excerptOf(finding) {
  const { text, start, length } = finding.excerpt;
  const margin = `${finding.line} | `;
  return el("pre", { tabindex: "0" }, el("span", { class: "at" }, margin), text, length > 0 && ["\n",
    el("span", { class: "marker", "aria-hidden": "true" }, " ".repeat(margin.length + start) + "^".repeat(length))]);
}

function findingEntry(finding) {
  const help = report.codes[finding.code];
  return el("article", { class: "finding" },
    el("h3", {}, tag(finding.severity), el("code", {}, finding.code), position(finding.file, finding.line, finding.column)),
    el("p", {}, finding.message),
    finding.excerpt ? excerptOf(finding) : null,
    finding.hint ? el("p", {}, el("b", {}, "Hint: "), finding.hint) : null,
    help ? el("details", { class: "small" }, el("summary", {}, "What this means"), el("p", {}, help.meaning), el("p", {}, help.remedy)) : null);
}

/** Findings, the gravest first, otherwise in the order of reports. */
function gravest() {
  return SEVERITIES.flatMap((severity) => report.findings.filter((finding) => finding.severity === severity));
}

function findingsView() {
  const list = el("div", {});
  const more = el("div", {});
  const status = el("p", { class: "soft small", role: "status" });
  const state = { text: "", severity: "", code: "" };
  const search = searchBox("Find in paths and messages", {}, (text) => update({ text }));
  const severity = select("Severity", [["", "all"], ...SEVERITIES.map((name) => [name, name])], (chosen) => update({ severity: chosen }));
  const code = select("Code", [["", "all"], ...Object.keys(report.codes).map((name) => [name, name])], (chosen) => update({ code: chosen }));
  const sorted = gravest();
  function update(change) {
    Object.assign(state, change);
    const wanted = state.text.trim().toLowerCase();
    const found = sorted.filter((finding) => (!state.severity || finding.severity === state.severity) && (!state.code || finding.code === state.code)
      && (!wanted || `${finding.file}\n${finding.message}\n${finding.code}`.toLowerCase().includes(wanted)));
    list.replaceChildren();
    more.replaceChildren(...growing(list, found, findingEntry, 50));
    status.textContent = report.findings.length ? `${number(found.length)} of ${counted(report.findings.length, "finding")}` : "There are no findings.";
  }
  update({});
  return {
    section: view("Findings", el("div", { class: "filters" }, search.label, severity.label, code.label), status, list, more),
    ofText(text) {
      search.box.value = text;
      severity.box.value = code.box.value = "";
      update({ text, severity: "", code: "" });
    },
  };
}
