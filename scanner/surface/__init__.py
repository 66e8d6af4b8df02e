"""Agent intents and playbooks declared in source: reading them, merging them, checking their tool names.

The parts stand in modules of their own and are imported from there, so that the records stay free of syntax.
"""
