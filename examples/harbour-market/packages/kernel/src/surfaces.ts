/**
 * Access rules shared by several packages.
 *
 * A model can only spread a constant of its own file: a reader of one file must be able to see
 * who may call the model. Copy the constant rather than importing it.
 */
export const STAFF_ONLY = {
  api: { include: ['list', 'get'] },
  mcp: false,
  cli: true,
} as const;
