import { ENDPOINTS_MAX } from '@inkling/contract/account'
import type { Kysely } from 'kysely'
import { newSigningSecret } from '../auth/keys.ts'
import { newSecret } from '../auth/signing-secrets.ts'
import { AppError } from '../lib/errors.ts'
import type { SecretBox } from '../lib/secret-box.ts'
import {
  domainStore,
  type EndpointRow,
  endpointStore,
  type NewEndpointRow,
} from '../store/domains/domains.ts'
import type { Schema } from '../store/schema.ts'
import type { Store } from '../store/store.ts'

export interface NewEndpoint {
  row: EndpointRow
  /** Plain text; only the sealed form is stored. */
  secret: string
}

/** A scheme and a host in characters that may be in a URL (RFC 3986), or in one that is not ASCII; nothing to guess or mend. */
const WELL_FORMED = /^https?:\/\/(?![/?#])(?:[^\s\p{Cc}"<>\\^`{|}%]|%[\da-f]{2})+$/iu

/**
 * Checks a URL that events are to be sent to: https, or http where private addresses are allowed.
 * @throws AppError in words for the operator
 */
export function webhookUrl(text: string, allowPrivate: boolean): string {
  const url = URL.parse(text)
  if (!url) throw new AppError('INK_INVALID_WEBHOOK_URL')
  if (url.protocol !== 'https:' && !(allowPrivate && url.protocol === 'http:'))
    throw new AppError('INK_INVALID_WEBHOOK_URL', 'the webhook URL must use https')
  if (url.username !== '' || url.password !== '')
    throw new AppError('INK_INVALID_WEBHOOK_URL', 'the webhook URL must not carry credentials')
  if (!WELL_FORMED.test(text))
    throw new AppError('INK_INVALID_WEBHOOK_URL', 'the webhook URL is not well-formed')
  return text
}

/** Makes an endpoint and its signing secret; the caller stores it. */
export function newEndpoint(
  secrets: SecretBox,
  domainId: number,
  url: string,
  nowMs: number,
): { row: NewEndpointRow; secret: string } {
  const secret = newSigningSecret()
  return {
    row: {
      domain_id: domainId,
      url,
      sealed_secret: secrets.seal(secret),
      state: 'unverified',
      enabled: 1,
      is_callback: 0,
      pattern_events: 0,
      created_at: nowMs,
    },
    secret,
  }
}

/**
 * Stores an endpoint. Each of a domain's endpoints gets each of its events, so that very many would take the turns of
 * the other domains.
 * @throws AppError `INK_TOO_MANY_ENTRIES`
 */
export async function storeEndpoint(transaction: Kysely<Schema>, row: NewEndpointRow): Promise<EndpointRow> {
  await domainStore(transaction).hold(row.domain_id)
  const endpoints = endpointStore(transaction)
  if ((await endpoints.count(row.domain_id)) >= ENDPOINTS_MAX)
    throw new AppError(
      'INK_TOO_MANY_ENTRIES',
      `the domain has ${ENDPOINTS_MAX} webhook endpoints; remove one`,
    )
  return endpoints.add(row)
}

export async function addEndpoint(
  store: Store,
  secrets: SecretBox,
  domainId: number,
  url: string,
  nowMs: number,
): Promise<NewEndpoint> {
  const { row, secret } = newEndpoint(secrets, domainId, url, nowMs)
  const added = await store.writes.transaction().execute((transaction) => storeEndpoint(transaction, row))
  return { row: added, secret }
}

/**
 * Replaces the signing secret and returns the new one; undefined when the domain has no such endpoint.
 * @param previousUntil when the replaced secret stops being valid where two signatures are sent; 0: at once
 */
export async function rotateSecret(
  transaction: Kysely<Schema>,
  secrets: SecretBox,
  domainId: number,
  id: number,
  previousUntil: number,
): Promise<string | undefined> {
  const endpoint = await endpointStore(transaction).find(domainId, id)
  if (!endpoint) return undefined
  const { secret, change } = newSecret(secrets, endpoint, previousUntil)
  await endpointStore(transaction).change(domainId, id, change)
  return secret
}
