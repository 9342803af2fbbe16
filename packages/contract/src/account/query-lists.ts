import { z } from 'zod'

/** Whether a field of a query takes several values. */
export function takesSeveral(field: unknown): boolean {
  const inner = field instanceof z.ZodOptional ? field.unwrap() : field
  return inner instanceof z.ZodArray
}

/** A query has a list where a field is given several times only; a field that takes several becomes one always. */
export const withLists = (schema: z.ZodObject, query: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(query).map(([name, value]: [string, unknown]) => [
      name,
      Array.isArray(value) || !takesSeveral(schema.shape[name]) ? value : [value],
    ]),
  )
