import type { FastifyRequest } from 'fastify'
import type { Directory, Domain } from '../auth/directory.ts'
import { bearerToken, matchesSecretKey } from '../auth/keys.ts'
import { AppError } from '../lib/errors.ts'

export interface Credentials {
  domain: string
  secret: string
}

const DOMAIN_LENGTH_MAX = 253

/**
 * The enabled domain with this name and Secret Key.
 * @throws AppError `INK_INVALID_SECRET_KEY`, which does not say what was wrong
 */
export function authenticateSecret(credentials: Credentials | undefined, directory: Directory): Domain {
  const { domain: name = '', secret = '' } = credentials ?? {}
  const domain = name.length <= DOMAIN_LENGTH_MAX ? directory.byName(name) : undefined
  if (!domain || !matchesSecretKey(domain, secret)) throw new AppError('INK_INVALID_SECRET_KEY')
  return domain
}

/** Credentials from headers; undefined when one is missing or malformed. */
export function headerCredentials({ headers }: FastifyRequest, serviceName: string): Credentials | undefined {
  const domain = headers[`x-${serviceName.toLowerCase()}-domain`]?.toString()
  const secret = bearerToken(headers.authorization)
  return domain && secret ? { domain, secret } : undefined
}
