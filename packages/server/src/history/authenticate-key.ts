import type { Directory, Domain } from '../auth/directory.ts'
import { hashKey } from '../auth/keys.ts'
import { bearerToken } from '../lib/bearer-token.ts'

export type Authenticated = { ok: true; domain: Domain } | { ok: false; message: string }

/** The domain whose Private API Key a request carries. */
export function authenticateKey(authorization: string | undefined, directory: Directory): Authenticated {
  const token = bearerToken(authorization)
  if (token === undefined) return { ok: false, message: 'missing or invalid authorization header' }
  const domain = directory.byApiKeyHash(hashKey(token))
  return domain ? { ok: true, domain } : { ok: false, message: 'invalid api key' }
}
