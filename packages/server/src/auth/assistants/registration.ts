import { randomBytes } from 'node:crypto'
import { DAY_MS } from '../../lib/durations.ts'
import { withoutUnseen } from '../../lib/unseen.ts'
import { assistantClientStore } from '../../store/assistants/clients.ts'
import type { Store } from '../../store/store.ts'
import { isAllowedRedirect } from './redirect-uris.ts'

/** How long a registration waits for a user who allows something. */
const UNUSED_MS = DAY_MS
/** Anybody may register, so this bounds the table. */
const CLIENTS_MAX = 1_000
const REDIRECTS_MAX = 10
const NAME_MAX = 60
const ID_BYTES = 16

export interface Registration {
  name: string
  redirectUris: readonly string[]
}

export interface RegisteredClient extends Registration {
  id: string
  createdAtMs: number
}

/** Registers an assistant. It gets no secret: the code is bound to it by PKCE. Undefined for an address it may not have. */
export async function registerAssistant(
  store: Store,
  { name, redirectUris }: Registration,
  nowMs: number,
): Promise<RegisteredClient | undefined> {
  const isFine =
    redirectUris.length > 0 && redirectUris.length <= REDIRECTS_MAX && redirectUris.every(isAllowedRedirect)
  if (!isFine) return undefined
  const client = {
    id: randomBytes(ID_BYTES).toString('hex'),
    name: withoutUnseen(name, NAME_MAX) || 'An assistant without a name',
    redirectUris,
    createdAtMs: nowMs,
  }
  await store.writes.transaction().execute(async (transaction) => {
    const clients = assistantClientStore(transaction)
    await clients.removeExpired(nowMs)
    await clients.keepLatest(CLIENTS_MAX - 1)
    await clients.add({
      id: client.id,
      name: client.name,
      redirect_uris: JSON.stringify(redirectUris),
      created_at: nowMs,
      expires_at: nowMs + UNUSED_MS,
    })
  })
  return client
}
