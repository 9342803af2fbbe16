import type { DomainProfile } from '@inkling/contract'
import type { FastifyReply } from 'fastify'
import { sendManagementJson } from '../compat/answers.ts'
import { AppError } from '../lib/errors.ts'
import { type DomainRow, domainStore, endpointStore } from '../store/domains/domains.ts'
import type { Store } from '../store/store.ts'
import { authenticateSecret, headerCredentials } from './authenticate-secret.ts'
import type { ManagementDeps, MountRoute } from './mount-route.ts'

/** GET /v1/profile. */
export function profileRoute(mount: MountRoute, { directory, store, serviceName }: ManagementDeps): void {
  mount({
    method: 'GET',
    url: '/v1/profile',
    match: () => true,
    answer: (_path, request, reply) =>
      sendProfile(reply, store, authenticateSecret(headerCredentials(request, serviceName), directory).id),
  })
}

/** Answers a domain's profile. It is read from the database, because the directory does not have the volume left. */
export async function sendProfile(
  reply: FastifyReply,
  store: Store,
  domainId: number,
): Promise<FastifyReply> {
  const [row, endpoints] = await Promise.all([
    domainStore(store.reads).findById(domainId),
    endpointStore(store.reads).list(domainId),
  ])
  // Removed or disabled since the directory was read.
  if (!row || row.enabled === 0) throw new AppError('INK_INVALID_SECRET_KEY')
  const callback = endpoints.find(({ is_callback }) => is_callback === 1)
  return sendManagementJson(reply, 200, presentProfile(row, callback?.url ?? ''))
}

const SHOWN = 4
/** Only the hash of a Secret Key and its last characters are stored. */
const SECRET_KEY_LENGTH = 32
const UNKNOWN_TIME = '0001-01-01T00:00:00Z'

/** The keys stand in the order of the wire. */
export const presentProfile = (row: DomainRow, callback: string): DomainProfile => ({
  Domain: row.name,
  Weight: row.remaining,
  Callback: callback,
  PublicKey: mask(row.public_key),
  Secret: row.secret_key_tail.padStart(SECRET_KEY_LENGTH, '*'),
  CreatedAt: row.created_at === 0 ? UNKNOWN_TIME : `${new Date(row.created_at).toISOString().slice(0, 19)}Z`,
})

/** Replaces all but the last four characters with `*`. */
export const mask = (key: string): string => key.slice(-SHOWN).padStart(key.length, '*')
