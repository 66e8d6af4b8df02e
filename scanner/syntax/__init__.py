"""Reading TypeScript and JavaScript syntax: grammars, nodes, positions, literals, scopes and repairs."""
