"""What the bytes of a source prove about it, so that it need not be parsed.

A sieve may let through what turns out to hold nothing; it never holds back what counts. Whatever cannot be told from
the bytes (a name spelled with escapes, an odd blank between two words) lets the source through.
"""
