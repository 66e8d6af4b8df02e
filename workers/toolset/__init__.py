"""What an agent may ask for and how it is answered, apart from any protocol.

A catalog holds the capabilities of one loaded run. An agent reaches them through three fixed verbs, or through one tool
a capability; both ways end in an :class:`Outcome`, which is an output or an error that says what to do next. The rules
are those of agent-surface core, less what has no meaning for data at rest: nothing here changes anything, so nothing is
confirmed, and a repeated call needs no protection.
"""
