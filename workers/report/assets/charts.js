// Charts, each with its numbers as text beside it or in a table.

/** A line of one figure over kept runs, the newest at the right. */
function lineChart(title, values, format) {
  const top = Math.max(...values, 1e-9);
  const step = values.length > 1 ? 100 / (values.length - 1) : 0;
  const points = values.map((value, place) => `${(place * step).toFixed(2)},${(38 - (value / top) * 36).toFixed(2)}`);
  if (points.length === 1) points.push(`100,${points[0].split(",")[1]}`);
  const range = `from ${format(Math.min(...values))} to ${format(Math.max(...values))}`;
  return el("li", {},
    el("span", {}, title, " ", el("span", { class: "value" }, format(values.at(-1)))),
    svg("svg", { viewBox: "0 0 100 40", preserveAspectRatio: "none", height: "56", role: "img",
      "aria-label": `${title} over ${counted(values.length, "run")}, ${range}` },
      svg("line", { class: "chart-ground", x1: 0, x2: 100, y1: 38.5, y2: 38.5 }),
      svg("polyline", { class: "chart-line", points: points.join(" ") })),
    el("span", { class: "soft small" }, range));
}

/** Bars with names and values, as a table. */
function barChart(caption, head, entries, format) {
  const top = Math.max(...entries.map(([, value]) => value), 1e-9);
  return table(caption, [
    { title: head, cell: ([name]) => name },
    { title: "", kind: "bar-cell", cell: ([, value]) =>
      svg("svg", { viewBox: "0 0 100 10", preserveAspectRatio: "none", height: "14", "aria-hidden": "true" },
        svg("rect", { class: "bar", x: 0, y: 0, width: Math.max((value / top) * 100, 0.4).toFixed(2), height: 10 })) },
    { title: "", kind: "number", cell: ([, value]) => format(value) },
  ], entries, { class: "bars" });
}

/** One bar split by kind; its parts are told in the legend below it. */
function stackedBar(parts) {
  const whole = parts.reduce((sum, part) => sum + part.count, 0) || 1;
  let start = 0;
  const rects = parts.filter((part) => part.count).map((part) => {
    const width = (part.count / whole) * 100;
    const rect = svg("rect", { class: `fill-${part.kind}`, x: start.toFixed(3), y: 0, width: Math.max(width - 0.3, 0.2).toFixed(3), height: 10 });
    start += width;
    return rect;
  });
  return svg("svg", { class: "stack", viewBox: "0 0 100 10", preserveAspectRatio: "none", height: "18", "aria-hidden": "true" }, rects);
}
