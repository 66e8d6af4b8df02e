"""Draws a record: throughput by contestant, by size and by workers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import matplotlib as mpl
from bench_record import BenchRecord
from goals import size_points
from matplotlib.figure import Figure
from scaling import measured, predictions

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_OWN: Final = "#1f6f8b"
_PEER: Final = "#b8b8b8"
_LINES: Final = {
    "manifest": _OWN,
    "full": "#4aa3a2",
    "oxc": "#c96a3d",
    "ast-grep": "#8d6cab",
    "ripgrep": "#707070",
}
_LABELS: Final = {
    "manifest": "scan-cluster, depth manifest",
    "full": "scan-cluster, depth full",
    "oxc": "oxc-parser, Node {node}",
    "oxc-2-threads": "oxc-parser, Node {node}, 2 threads",
    "oxc-node22": "oxc-parser, Node 22",
    "oxc-node22-raw": "oxc-parser, Node 22, raw",
    "oxc-node22-lazy": "oxc-parser, Node 22, lazy",
    "oxc-node22-lazy-2-threads": "oxc-parser, Node 22, lazy, 2 threads",
    "ast-grep": "ast-grep, the same classes",
    "ripgrep": "ripgrep, tokens only",
}


def draw(record: BenchRecord, target: Path) -> None:
    """Write the picture of a record; the suffix of *target* chooses the format (.svg, .png)."""
    style: Any = {
        "svg.hashsalt": "bench",
        "font.size": 10,
        "axes.spines.top": False,
        "axes.spines.right": False,
    }
    with mpl.rc_context(style):
        figure = Figure(figsize=(9, 11.5), layout="constrained", facecolor="white")
        by_peer, by_size, by_workers = figure.subplots(3, 1, height_ratios=[1.25, 1, 1])
        _draw_peers(by_peer, record)
        _draw_sizes(by_size, record)
        _draw_workers(by_workers, record)
        figure.savefig(target, dpi=110, metadata={"Date": None} if target.suffix == ".svg" else None)


def _label(record: BenchRecord, name: str) -> str:
    version = record.versions.get("node of this machine", "").removeprefix("v")
    return _LABELS.get(name, name).format(node=version.partition(".")[0])


def _draw_peers(axes: Axes, record: BenchRecord) -> None:
    contest = record.contest("npm")
    if contest is None:
        return
    megabytes = contest.source_bytes / 1e6
    entries = sorted((entry for entry in contest.entries if entry.samples), key=lambda entry: -entry.median)
    speeds = [megabytes / entry.median for entry in entries]
    lows = [speed - megabytes / entry.spread[1] for speed, entry in zip(speeds, entries, strict=True)]
    highs = [megabytes / entry.spread[0] - speed for speed, entry in zip(speeds, entries, strict=True)]
    colours = [_OWN if entry.name in {"manifest", "full"} else _PEER for entry in entries]
    bars = axes.barh(
        [_label(record, entry.name) for entry in entries],
        speeds,
        xerr=(lows, highs),
        color=colours,
        error_kw={"elinewidth": 1, "ecolor": "#333333"},
    )
    axes.bar_label(bars, [f"{speed:,.1f}" for speed in speeds], padding=6)
    axes.set_xscale("log")
    axes.set_xlim(left=min(speeds) / 2, right=max(speeds) * 3)
    axes.xaxis.set_major_formatter("{x:,g}")
    axes.set_xlabel("MB of source a second, whole process (log scale; bars: median, whiskers: all rounds)")
    axes.set_title(f"{contest.files:,} files of npm packages, few models", loc="left", fontweight="bold")


def _draw_sizes(axes: Axes, record: BenchRecord) -> None:
    for name, colour in _LINES.items():
        points = size_points(record, name)
        if points:
            files = [count for count, _ in points]
            speeds = [count / seconds for count, seconds in points]
            axes.plot(files, speeds, marker="o", color=colour, label=_label(record, name))
    axes.set_xscale("log")
    axes.set_yscale("log")
    sizes = sorted({count for name in _LINES for count, _ in size_points(record, name)})
    axes.set_xticks(sizes, [f"{count:,}" for count in sizes])
    axes.yaxis.set_major_formatter("{x:,.0f}")
    axes.minorticks_off()
    axes.set_xlabel("generated files (log scale)")
    axes.set_ylabel("files a second (log scale)")
    axes.set_title("Throughput by size, start-up included", loc="left", fontweight="bold")
    _legend(axes)


def _draw_workers(axes: Axes, record: BenchRecord) -> None:
    contest, predicted = record.contest("workers"), predictions(record)
    if contest is None or not predicted:
        return
    megabytes = contest.source_bytes / 1e6
    alone = megabytes / predicted[1]
    axes.plot(
        list(predicted),
        [alone * workers for workers in predicted],
        ":",
        color=_PEER,
        label="in proportion to workers",
    )
    axes.plot(
        list(predicted),
        [megabytes / seconds for seconds in predicted.values()],
        marker="o",
        markerfacecolor="white",
        color=_OWN,
        label="predicted",
    )
    found = measured(contest)
    axes.plot(
        list(found),
        [megabytes / seconds for seconds in found.values()],
        "D",
        color=_LINES["oxc"],
        label="measured",
    )
    axes.set_xscale("log", base=2)
    axes.set_yscale("log", base=2)
    axes.set_xticks(list(predicted), [str(workers) for workers in predicted])
    axes.yaxis.set_major_formatter("{x:g}")
    axes.set_xlabel("workers (log scale)")
    axes.set_ylabel("MB a second (log scale)")
    axes.set_title("Throughput by workers, depth full", loc="left", fontweight="bold")
    _legend(axes)


def _legend(axes: Any) -> None:
    if axes.get_legend_handles_labels()[0]:
        axes.legend(frameon=False, loc="center left", bbox_to_anchor=(1, 0.5))
