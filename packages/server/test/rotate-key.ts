import { type KeyKind, newKey } from '../src/auth/register-domain.ts'
import type { SecretBox } from '../src/lib/secret-box.ts'
import { domainStore } from '../src/store/domains/domains.ts'
import type { Store } from '../src/store/store.ts'

/** Replaces a key in the database, as another process does. */
export async function rotateKey(
  store: Store,
  box: SecretBox,
  domainId: number,
  kind: KeyKind,
): Promise<string> {
  const { key, change } = newKey(kind, box)
  await store.writes.transaction().execute((transaction) => domainStore(transaction).change(domainId, change))
  return key
}
