import type { IdentificationScored } from '@inkling/contract'
import { namesOne } from '../identifies-nobody.ts'
import type { ReplayStore } from '../replay/replay-store.ts'

export interface HandleOnceOptions {
  store: ReplayStore
  handle: (event: IdentificationScored) => Promise<void> | void
  /** How long a repetition is recognised, in milliseconds. Default 24 hours; retries end after minutes. */
  ttlMs?: number
}

const TTL_MS = 24 * 60 * 60 * 1_000

/**
 * Handles each identification once, however often its event arrives: true when `handle` ran. When it
 * throws, the event counts as not handled, so that a later delivery of it is.
 *
 * @example
 * const { kind, event } = await webhooks.verify(rawBody, header, secrets)
 * if (kind === 'identification.scored') await webhooks.handleOnce(event, { store, handle: save })
 */
export async function handleOnce(
  event: IdentificationScored,
  { store, handle, ttlMs = TTL_MS }: HandleOnceOptions,
): Promise<boolean> {
  const key = eventKey(event)
  if (!(await store.claim(key, ttlMs))) return false
  try {
    await handle(event)
    return true
  } catch (error) {
    await store.release(key)
    throw error
  }
}

/** Markers whose request ID was malformed all carry the nil UUID; a repetition has the same time, too. */
function eventKey({ data }: IdentificationScored): string {
  const id = data.request_id.toLowerCase()
  return namesOne(id) ? `event:${id}` : `event:${id}:${data.observed_at}`
}
