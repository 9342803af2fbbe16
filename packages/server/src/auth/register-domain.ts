import { randomUUID } from 'node:crypto'
import type { RotatedKey } from '@inkling/contract/account'
import type { SecretBox } from '../lib/secret-box.ts'
import { uuidBytesOrNil } from '../lib/uuid.ts'
import { type DomainChange, domainStore, type NewDomainRow } from '../store/domains/domains.ts'
import type { Store } from '../store/store.ts'
import { hashKey, keyTail, newApiKey, newHexKey, newUserKey } from './keys.ts'

/** Included identifications of a new domain. */
const VOLUME = 1_000_000

/** The keys of a domain. Only the public one can be read again later. */
export interface DomainKeys {
  domain: string
  public_key: string
  secret_key: string
  api_key: string
}

/** Normalises a host name to lower case; undefined with a scheme, port, path or leading `www.`, or if malformed. */
export function domainName(text: string): string | undefined {
  const name = text.trim().toLowerCase()
  const labels = name.split('.')
  const valid =
    name.length <= 253 &&
    !name.startsWith('www.') &&
    labels.every((label) => /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(label))
  return valid ? name : undefined
}

interface NewDomain {
  row: NewDomainRow
  /** To be shown once. */
  keys: DomainKeys
}

/** Makes the row and keys of a new domain without storing them. */
export function newDomain(name: string, nowMs: number): NewDomain {
  const keys = { public_key: newHexKey(), secret_key: newHexKey(), api_key: newApiKey() }
  return {
    row: {
      name,
      enabled: 1,
      remaining: VOLUME,
      has_volume: 0,
      created_at: nowMs,
      namespace: uuidBytesOrNil(randomUUID()),
      public_key: keys.public_key,
      secret_key_hash: hashKey(keys.secret_key),
      secret_key_tail: keyTail(keys.secret_key),
      stored_bytes: 0,
      disk_budget: null,
      origins: null,
      api_key_hash: hashKey(keys.api_key),
    },
    keys: { domain: name, ...keys },
  }
}

/**
 * Registers a domain; undefined if it is registered already. The audit log has nothing of it: this is for the first
 * start, which is no change by anybody.
 */
export async function registerDomain(
  store: Store,
  name: string,
  nowMs: number,
): Promise<DomainKeys | undefined> {
  const { row, keys } = newDomain(name, nowMs)
  const added = await store.writes.transaction().execute((transaction) => domainStore(transaction).add(row))
  return added && keys
}

export type KeyKind = RotatedKey['kind']

interface NewKey {
  /** To be shown once. */
  key: string
  change: DomainChange
}

const MAKE: Record<KeyKind, (box: SecretBox) => NewKey> = {
  api() {
    const key = newApiKey()
    return { key, change: { api_key_hash: hashKey(key) } }
  },
  secret() {
    const key = newHexKey()
    return { key, change: { secret_key_hash: hashKey(key), secret_key_tail: keyTail(key) } }
  },
  public() {
    const key = newHexKey()
    return { key, change: { public_key: key } }
  },
  // By which a customer's backend signs account identifiers. It is sealed, because the server needs it.
  user(box) {
    const key = newUserKey()
    return { key, change: { sealed_user_key: box.seal(key) } }
  },
}

/** Makes a random key and the change that stores it. The old one stops working on every server within a second. */
export const newKey = (kind: KeyKind, box: SecretBox): NewKey => MAKE[kind](box)
