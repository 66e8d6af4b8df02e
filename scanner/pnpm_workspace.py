"""Reading ``pnpm-workspace.yaml``: a document of nodes, of which only the list ``packages`` is looked at.

Nodes are composed and never turned into values: no tag makes an object, what an anchor names stays one node however
often it is used, and merge keys are not followed, so that no document grows by being read. The parser gives up on deep
nesting by itself.
"""

from __future__ import annotations

from typing import Any, Final

import yaml

_LOADER: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
"""libyaml's, which ships with PyYAML's wheels and is fifty times faster."""

_KEY: Final = "packages"
_NULLS: Final = frozenset({"", "~", "null"})


def workspace_document(data: bytes) -> dict[str, Any]:
    """Return ``packages`` of a document as a list of texts, in an object without it when there is none.

    What stands in the list and is no text is None there.

    Raises:
        ValueError: It is no YAML, more than one document, or something else than a list stands there.
    """
    try:
        document = yaml.compose(data, Loader=_LOADER)
    except (yaml.YAMLError, RecursionError) as error:
        raise ValueError("it is damaged, nested too deeply, or more than one document") from error
    if document is None or _is_nothing(document):
        return {}
    if not isinstance(document, yaml.MappingNode):
        raise ValueError("it holds no mapping")  # noqa: TRY004 -- one error kind for bad files
    found = [value for key, value in document.value if isinstance(key, yaml.ScalarNode) and key.value == _KEY]
    if len(found) > 1:
        raise ValueError(f"it states `{_KEY}` twice")
    if not found or _is_nothing(found[0]):
        return {}
    if not isinstance(found[0], yaml.SequenceNode):
        raise ValueError(f"its `{_KEY}` is no list")  # noqa: TRY004 -- one error kind for bad files
    return {_KEY: [item.value if isinstance(item, yaml.ScalarNode) else None for item in found[0].value]}


def _is_nothing(node: yaml.Node) -> bool:
    return isinstance(node, yaml.ScalarNode) and node.value in _NULLS
