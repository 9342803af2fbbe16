import { type Chance, chanceOf } from '../../bench/identity/population/chance.ts'
import type { AddressList, AddressLists } from '../../packages/server/src/enrich/ip/ip-facts.ts'
import { parseAddress } from '../../packages/server/src/lib/address.ts'
import type { AddressPool } from './address-pool.ts'

/** Addresses in hosting ranges that the lists of the demo contain. */
export interface DemoLists {
  tor: readonly string[]
  vpn: readonly string[]
  abuser: readonly string[]
  lists: AddressLists
}

const HOSTING_COUNTRIES = ['DE', 'NL', 'US', 'FR', 'GB', 'SE']
const SEED = 77

/**
 * Stands in for the public lists, which are downloaded: the demo works offline and gives the same result
 * for a seed.
 */
export function demoLists(pool: AddressPool): DemoLists {
  const chance = chanceOf(SEED)
  const tor = addresses(24, pool, chance)
  const vpn = addresses(60, pool, chance)
  const abuser = addresses(20, pool, chance)
  return { tor, vpn, abuser, lists: { tor: listOf(tor), vpn: listOf(vpn), abuser: listOf(abuser) } }
}

const addresses = (count: number, pool: AddressPool, chance: Chance): string[] =>
  Array.from({ length: count }, () => pool.draw('hosting', chance.pick(HOSTING_COUNTRIES), chance))

function listOf(listed: readonly string[]): AddressList {
  const numbers = new Set(
    listed.map((text) => {
      const address = parseAddress(text)
      return address?.family === 4 ? address.value : undefined
    }),
  )
  return { has: (address) => address.family === 4 && numbers.has(address.value) }
}
