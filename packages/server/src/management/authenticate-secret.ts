import type { FastifyRequest } from 'fastify'
import type { Directory, Domain } from '../auth/directory.ts'
import { matchesSecretKey } from '../auth/matches-secret-key.ts'
import { bearerToken } from '../lib/bearer-token.ts'

export interface Credentials {
  domain: string
  secret: string
}

const DOMAIN_LENGTH_MAX = 253

/** The enabled domain whose name and Secret Key these are, matched exactly. */
export function authenticateSecret(
  { domain: name, secret }: Credentials,
  directory: Directory,
): Domain | undefined {
  if (name.length > DOMAIN_LENGTH_MAX) return undefined
  const domain = directory.byName(name)
  return domain && matchesSecretKey(domain, secret) ? domain : undefined
}

/** Credentials as headers carry them; undefined when one is missing or malformed. */
export function headerCredentials({ headers }: FastifyRequest, serviceName: string): Credentials | undefined {
  const domain = headers[`x-${serviceName.toLowerCase()}-domain`]?.toString()
  const secret = bearerToken(headers.authorization)
  return domain && secret ? { domain, secret } : undefined
}

/**
 * Credentials as the older routes carry them, `{domain}:{secret}` in the first segment. Any text before
 * and after a colon counts, whatever its form, so that a mistyped secret is answered like a wrong one and
 * not like an unknown path.
 */
export function pathCredentials({ params }: FastifyRequest): Credentials | undefined {
  const { credentials = '' } = params as { credentials?: string }
  const colon = credentials.lastIndexOf(':')
  const domain = credentials.slice(0, Math.max(colon, 0))
  const secret = credentials.slice(colon + 1)
  return domain && secret ? { domain, secret } : undefined
}
