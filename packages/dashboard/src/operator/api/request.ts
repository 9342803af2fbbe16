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

/** The parameters, query and body of an operation, before the server fills in defaults. */
export type RequestOf<Name extends AccountOperationName> = Given<Name, 'params'> &
  Given<Name, 'body'> &
  OptionalQuery<Name>

interface Parts {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
}

/** Builds the HTTP request of an operation; its method and path come from the contract. */
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
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined) url.searchParams.append(key, String(one))
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

/** The server rejected a request, or could not be reached. */
export class ApiError extends Error {
  /** HTTP status; 0 when there was no response. */
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** @throws ApiError with status 0 when the server cannot be reached */
export async function send(input: URL, init: RequestInit): Promise<Response> {
  try {
    return await fetch(input, init)
  } catch (error) {
    if (init.signal?.aborted) throw error
    throw new ApiError(0, 'The server cannot be reached.')
  }
}

/** Turns an error response into an ApiError with the server's own message. */
export async function errorOf(response: Response): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => undefined)
  const text = typeof body === 'object' && body !== null && 'error' in body ? String(body.error) : ''
  return new ApiError(response.status, text === '' ? `The server responded with ${response.status}.` : text)
}
