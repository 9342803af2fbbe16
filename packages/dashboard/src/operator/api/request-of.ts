import {
  ACCOUNT_OPERATIONS,
  type AccountOperation,
  type AccountOperationName,
} from '@inkling/contract/account'
import type { z } from 'zod'

type Schema<
  Name extends AccountOperationName,
  Key extends string,
> = (typeof ACCOUNT_OPERATIONS)[Name] extends {
  [Known in Key]: infer Found extends z.ZodType
}
  ? Found
  : undefined

type Given<Name extends AccountOperationName, Key extends string> =
  Schema<Name, Key> extends z.ZodType
    ? { [Known in Key]: z.input<Schema<Name, Key>> }
    : { [Known in Key]?: never }

type OptionalQuery<Name extends AccountOperationName> =
  Schema<Name, 'query'> extends z.ZodType ? { query?: z.input<Schema<Name, 'query'>> } : { query?: never }

/** What an operation takes, before the server fills in defaults. */
export type RequestOf<Name extends AccountOperationName> = Given<Name, 'params'> &
  Given<Name, 'body'> &
  OptionalQuery<Name>

interface Parts {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
}

/** Address and settings of a request. The contract's table has the method and the path. */
export function httpRequest<Name extends AccountOperationName>(
  root: URL,
  name: Name,
  request: RequestOf<Name>,
): { url: URL; init: RequestInit } {
  const { method, path }: AccountOperation = ACCOUNT_OPERATIONS[name]
  const { params = {}, query = {}, body } = request as Parts
  const filled = path.replace(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(String(params[key])))
  const url = new URL(filled.slice(1), root)
  for (const [key, value] of Object.entries(query))
    if (value !== undefined) url.searchParams.set(key, String(value))
  return {
    url,
    init: {
      method,
      ...(body !== undefined && {
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      }),
    },
  }
}
