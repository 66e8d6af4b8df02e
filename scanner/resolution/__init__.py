"""Where names lead: through imports and re-exports, to the class or type that is meant."""
