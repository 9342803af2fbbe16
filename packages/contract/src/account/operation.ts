import type { z } from 'zod'

/**
 * Who may ask. `anyone` brings no credential; `cookie` the refresh cookie of a login; `analyst` an access
 * token of any user; `owner` one of a user with that role.
 */
export type Access = 'anyone' | 'cookie' | 'analyst' | 'owner'

/** One route of the account API: what the server mounts, the dashboard calls and the reference describes. */
export interface AccountOperation {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** With its parameters in braces: `/account/domains/{domain}`. */
  path: `/account/${string}`
  access: Access
  summary: string
  description?: string
  /** Of the path, in its order. */
  params?: z.ZodObject
  query?: z.ZodObject
  body?: z.ZodObject
  /** Shape of a success; `file` is streamed, `nothing` has no body. */
  answer: z.ZodType | 'file' | 'nothing'
  /** 201 where something new is answered. */
  status?: 201
  /** Refusals besides those that every operation knows, in words. */
  refusals?: { 401?: string; 404?: string; 409?: string; 429?: string; 503?: string }
}
