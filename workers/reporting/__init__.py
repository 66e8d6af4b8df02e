"""Diagnostics for people and tools: text, workflow commands, SARIF, baselines and the failure gate.

Nothing here prints, reads files or exits: functions return data or yield lines, and take what they need.
"""
