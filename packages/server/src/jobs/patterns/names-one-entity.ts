import { namesAccount, namesOne } from '@inkling/sdk'
import { parseAddress } from '../../lib/parse-address.ts'
import { isPublicAddress } from '../../lib/public-address.ts'
import type { PatternEntityKey } from '../../store/pattern-rows.ts'

/**
 * Whether a value tells one from others: no account that strangers share, no nil ID, and no private or
 * carrier-grade address, which every second home has.
 */
export function namesOneEntity({ type, value }: Pick<PatternEntityKey, 'type' | 'value'>): boolean {
  if (type === 'user_hid') return namesAccount(value)
  if (type !== 'local_ip') return namesOne(value)
  const address = parseAddress(value)
  return address !== undefined && isPublicAddress(address)
}
