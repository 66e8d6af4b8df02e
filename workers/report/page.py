"""The report page as one file: template, style, scripts and data, with a policy that lets it load nothing else.

The data stands in a script element that browsers do not run, with every `<` escaped, so that no text from a source can
end it. The policy names style and scripts by their digests: nothing else on the page can be run or fetched, whatever
the data holds.
"""

from __future__ import annotations

import base64
import hashlib
from importlib.resources import files
from string import Template
from typing import Final

from scanner.serialization import JsonValue, encode_line

SEARCH_LIBRARY: Final = "ufuzzy-1.0.19.min.js"
"""The search library as its author ships it; its licence stands beside it."""

_STYLE: Final = "page.css"
_SCRIPTS: Final = (
    "elements.js",
    "search.js",
    "charts.js",
    "classes.js",
    "changes.js",
    "surfaces.js",
    "findings.js",
    "overview.js",
    "main.js",
)


def render_page(document: JsonValue) -> bytes:
    """Return the page for the data of :func:`workers.report.document.report_document`, in UTF-8."""
    style = _asset(_STYLE)
    library = f"/* uFuzzy, {_notice()} */\n{_asset(SEARCH_LIBRARY)}"
    script = _script()
    page = Template(_asset("page.html")).substitute(
        policy=_policy(style, library, script),
        style=style,
        library=library,
        script=script,
        data=encode_line(document).decode().strip().replace("<", "\\u003c"),
    )
    return page.encode()


def _script() -> str:
    parts = "\n".join(_asset(name) for name in _SCRIPTS)
    return f'"use strict";\n(() => {{\n{parts}}})();\n'


def _policy(style: str, *scripts: str) -> str:
    allowed = " ".join(map(_source, scripts))
    return (
        f"default-src 'none'; script-src {allowed}; style-src {_source(style)}; img-src data:;"
        " base-uri 'none'; form-action 'none'"
    )


def _source(text: str) -> str:
    """Return what a policy calls an inline element with this text."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _notice() -> str:
    """Return the licence of the search library on one line."""
    return " ".join(_asset("ufuzzy-LICENSE.txt").split()).replace("*/", "* /")


def _asset(name: str) -> str:
    return files("workers.report").joinpath("assets", name).read_text(encoding="utf-8")
