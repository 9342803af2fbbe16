/**
 * Whether a parsed JSON value has objects or lists inside each other more than so many levels deep. Programs
 * that walk over JSON, such as `JSON.stringify`, run out of stack some thousand levels down.
 */
export const nestsOver = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((child) => nestsOver(child, levels - 1)))
