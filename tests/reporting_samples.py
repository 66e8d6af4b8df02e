"""Findings for the tests of reports: a factory for plain ones, strategies for hostile ones."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st

from scanner.diagnostics import CODES, Diagnostic, Severity

PLAIN = Diagnostic(
    "unresolved-config", Severity.ERROR, "src/order.ts", 3, 9, "The config depends on `...BASE`."
)


def finding(**changes: object) -> Diagnostic:
    return replace(PLAIN, **changes)


# Hypothesis draws surrogates only when asked: file names that are no UTF-8 and escapes in sources both give them.
any_text = st.text(st.characters(exclude_categories=()), max_size=12)
odd_text = st.lists(
    st.one_of(
        any_text,
        st.sampled_from(
            [
                "\n",
                "\r\n",
                "\t",
                "\x1b[31m",
                "%",
                ":",
                ",",
                "::",
                "line 12",
                "日本",
                "😀",
                "\u202e",
                "\udcff",
                "\ud83d",
            ]
        ),
    ),
    max_size=4,
).map("".join)
whole_numbers = st.one_of(st.none(), st.integers(1, 40), st.integers(-2, 10**6))

paths = st.one_of(
    st.sampled_from(
        ["src/a.ts", "src/b.ts", "", "a b/ü.ts", "c:/x.ts", "../up.ts", "x\udcff\udc80.ts", "::error::y.ts"]
    ),
    odd_text,
)

findings = st.builds(
    Diagnostic,
    code=st.sampled_from(sorted(CODES)),
    severity=st.sampled_from(Severity),
    file_path=paths,
    line=whole_numbers,
    column=whole_numbers,
    message=odd_text,
    hint=st.none() | odd_text,
    expression=st.none() | odd_text,
    decorator=st.none() | st.sampled_from(["@smrt()", "@method()"]),
)
finding_lists = st.lists(findings, max_size=6)
