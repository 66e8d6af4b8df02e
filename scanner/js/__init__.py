"""JavaScript's values, numbers and strings, as far as literals need them."""
