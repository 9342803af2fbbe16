import { uuidToText } from '../../src/lib/uuid.ts'
import type { Store } from '../../src/store/store.ts'

/** Request IDs of all stored identifications, sorted. */
export async function storedRequestIds(store: Store): Promise<string[]> {
  const rows = await store.reads.selectFrom('identifications').select('request_id').execute()
  return rows.map(({ request_id }) => (request_id ? uuidToText(request_id) : '')).toSorted()
}
