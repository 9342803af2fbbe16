import { uuidToText } from '../../server/src/lib/uuid.ts'
import type { Store } from '../../server/src/store/store.ts'

/** Two devices of an account, to be compared. */
export async function twoDevicesOf(
  { reads }: Pick<Store, 'reads'>,
  account: string,
): Promise<[string, string]> {
  const rows = await reads
    .selectFrom('identifications')
    .select('device_id')
    .distinct()
    .where('user_hid', '=', account)
    .limit(2)
    .execute()
  const [a, b] = rows.map(({ device_id }) => uuidToText(device_id))
  if (!a || !b) throw new Error('the account has no two devices')
  return [a, b]
}
