import type { KeySpreadTable } from './device-tables.ts'

export interface KeyOfDevice {
  domain_id: number
  family: number
  key: number
  /** Null for a key that counts for no spread. */
  kind: number | null
}

/**
 * By how much the spreads grow: how many keys of a kind are one device's alone, or shared by just two.
 * @param counted each with how many devices have the key now, the added one included
 */
export function spreadGrowth(counted: readonly { of: KeyOfDevice; devices: number }[]): KeySpreadTable[] {
  const grown = new Map<string, KeySpreadTable>()
  for (const { of: key, devices } of counted) {
    const { domain_id, family, kind } = key
    if (kind === null || devices > 3) continue
    const name = `${domain_id} ${family} ${kind}`
    const growth = grown.get(name) ?? { domain_id, family, kind, once: 0, twice: 0 }
    grown.set(name, growth)
    if (devices === 1) growth.once += 1
    if (devices === 2) growth.once -= 1
    if (devices === 2) growth.twice += 1
    if (devices === 3) growth.twice -= 1
  }
  return [...grown.values()]
}
