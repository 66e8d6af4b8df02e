"""Lineages of packages read back: chains of classes, and where each field and method comes from."""
