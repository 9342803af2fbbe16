import { type AccountOperation, withLists } from '@inkling/contract/account'
import type { z } from 'zod'
import { AppError } from '../lib/errors.ts'

/** The parts of a request, not yet parsed. */
export interface GivenRequest {
  params?: unknown
  query?: unknown
  body?: unknown
}

type RequestSchemas = { [Part in 'params' | 'query' | 'body']?: AccountOperation[Part] | undefined }

/** @throws AppError `INK_INVALID_FIELD`, which names the first invalid field */
export const parseRequest = (
  { params, query, body }: RequestSchemas,
  given: GivenRequest,
): { params: unknown; query: unknown; body: unknown } => ({
  params: parsed(params, given.params),
  query: query && parsed(query, withLists(query, given.query as object)),
  body: parsed(body, given.body),
})

function parsed(schema: z.ZodType | undefined, given: unknown): unknown {
  if (!schema) return undefined
  const result = schema.safeParse(given)
  if (result.success) return result.data
  const [issue] = result.error.issues
  const field = issue?.path.join('.') ?? ''
  throw new AppError(
    'INK_INVALID_FIELD',
    `${field === '' ? 'request' : field}: ${issue?.message ?? 'invalid'}`,
  )
}
