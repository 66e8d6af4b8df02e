// What changed since an earlier run.

const IMPACTS = ["breaking", "compatible", "cosmetic"];

function changeEntry(change) {
  return el("li", {}, tag(change.impact), " ", change.exposure ? [tag(change.exposure), " "] : null, phrase(change.words),
    change.class === undefined ? null : [" ", classLink(change.class)],
    el("span", { class: "soft small" }, ` ${change.reason}`));
}

/** Every change with the section and the title that it stands under. */
function allChanges() {
  return (report.changes?.groups ?? []).flatMap((group) => group.changes.map((change) => ({ ...change, group })));
}

function titledChange(change) {
  const { section, title } = change.group;
  return el("li", {}, tag(change.impact), " ", change.exposure ? [tag(change.exposure), " "] : null,
    change.class === undefined ? el("b", {}, title ?? section) : el("b", {}, classLink(change.class)), " ", phrase(change.words));
}

function changesView() {
  if (!report.changes) {
    return view("Changes", el("p", {}, "There is no earlier run to compare with. Keep runs with ", el("code", {}, "scan-cluster run --history DIR"),
      " and give the same directory to ", el("code", {}, "scan-cluster report --history DIR"), "."));
  }
  const { since, counts, exposures, remarks, groups } = report.changes;
  const body = el("div", {});
  const chooser = select("Show", [["", "all changes"], ...IMPACTS.map((impact) => [impact, `${impact} (${number(counts[impact])})`]),
    ["opened", `what opens a surface (${number(exposures.opened)})`], ["closed", `what closes a surface (${number(exposures.closed)})`]], update);
  function update(kind) {
    const shown = groups.map((group) => ({ ...group, changes: group.changes.filter((change) => !kind || change.impact === kind || change.exposure === kind) }))
      .filter((group) => group.changes.length);
    const list = el("div", {});
    const more = growing(list, shown, (group) => el("section", { class: "finding" },
      el("h3", {}, group.title ?? group.section, group.title ? el("span", { class: "soft small" }, group.section) : null),
      el("ul", { class: "plain" }, group.changes.map(changeEntry))), 50);
    body.replaceChildren(list, ...more);
    if (!shown.length) body.replaceChildren(el("p", {}, groups.length ? "Nothing of this kind changed." : "Nothing changed."));
  }
  update("");
  return view("Changes", el("p", {}, `Since the run${since ? ` of ${moment(since)}` : " before"}: `,
    IMPACTS.map((impact) => `${number(counts[impact])} ${impact}`).join(", "), ". Surfaces: ",
    Object.entries(exposures).map(([kind, count]) => `${number(count)} ${kind}`).join(", "), "."),
    remarks.map((words) => el("p", { class: "remark" }, phrase(words))),
    el("div", { class: "filters" }, chooser.label), body);
}
