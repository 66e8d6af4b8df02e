"""From the syntax tree of one file to its raw records."""
