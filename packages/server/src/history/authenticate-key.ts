import type { Directory, Domain } from '../auth/directory.ts'
import { hashKey } from '../auth/keys.ts'

/** `Bearer` is matched in any case and blanks around it do not matter; undefined without a token. */
export function bearerToken(authorization: string | undefined): string | undefined {
  return /^\s*bearer\s+(\S.*?)\s*$/i.exec(authorization ?? '')?.[1]
}

export type Authenticated = { ok: true; domain: Domain } | { ok: false; message: string }

/** The domain whose Private API Key a request carries. */
export function authenticateKey(authorization: string | undefined, directory: Directory): Authenticated {
  const token = bearerToken(authorization)
  if (token === undefined) return { ok: false, message: 'missing or invalid authorization header' }
  const domain = directory.byApiKeyHash(hashKey(token))
  return domain ? { ok: true, domain } : { ok: false, message: 'invalid api key' }
}
