"""From resolved classes to the SMRT manifest (spec section 4)."""

from scanner.manifest.adapter import Manifest, ManifestAdapter

__all__ = ["Manifest", "ManifestAdapter"]
