import { type DomainChange, domainStore } from '../store/domains/domains.ts'
import type { Store } from '../store/store.ts'
import { hashKey, keyTail, newApiKey, newHexKey } from './keys.ts'

export const KEY_KINDS = ['api', 'secret', 'public'] as const
export type KeyKind = (typeof KEY_KINDS)[number]

export interface NewKey {
  /** In the clear, to be shown once. */
  key: string
  change: DomainChange
}

const MAKE: Record<KeyKind, () => NewKey> = {
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
}

/** A key that nobody has yet, and the change that puts it in place. */
export const newKey = (kind: KeyKind): NewKey => MAKE[kind]()

/** Replaces a key at once: the old one stops working everywhere within a second. */
export async function rotateKey(store: Store, domainId: number, kind: KeyKind): Promise<string> {
  const { key, change } = newKey(kind)
  await store.writes.transaction().execute((transaction) => domainStore(transaction).change(domainId, change))
  return key
}
