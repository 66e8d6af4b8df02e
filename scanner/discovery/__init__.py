"""Finding the sources of a tree: what is taken, what is left out, and why.

:func:`discover_source_files` finds the files of one policy and :func:`discover_source_sets` those of several in one
walk; :func:`explain_path` says why a path is found or left out. Nothing here opens a file.
"""

from scanner.discovery.explain import Explanation, explain_path
from scanner.discovery.patterns import PatternError
from scanner.discovery.policy import DEFAULT_EXCLUDE, DEFAULT_INCLUDE, MANDATORY_PRUNES, DiscoveryPolicy
from scanner.discovery.surface_paths import (
    AGENT_SURFACE_INCLUDE,
    AGENT_SURFACE_PRUNES,
    SVELTE_INCLUDE,
    is_agent_surface_source_path,
    is_pruned_agent_surface_path,
)
from scanner.discovery.walk import (
    Discovery,
    DiscoverySets,
    FoundFile,
    discover_source_files,
    discover_source_sets,
)

__all__ = [
    "AGENT_SURFACE_INCLUDE",
    "AGENT_SURFACE_PRUNES",
    "DEFAULT_EXCLUDE",
    "DEFAULT_INCLUDE",
    "MANDATORY_PRUNES",
    "SVELTE_INCLUDE",
    "Discovery",
    "DiscoveryPolicy",
    "DiscoverySets",
    "Explanation",
    "FoundFile",
    "PatternError",
    "discover_source_files",
    "discover_source_sets",
    "explain_path",
    "is_agent_surface_source_path",
    "is_pruned_agent_surface_path",
]
