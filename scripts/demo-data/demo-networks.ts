import type { Chance } from '../../bench/identity/population/chance.ts'
import { COUNTRIES } from '../../bench/identity/population/countries.ts'
import type { Place } from '../../bench/identity/population/device.ts'
import type { Home, Networks } from '../../bench/identity/population/networks.ts'
import type { AddressPool, LineKind } from './address-pool.ts'

/** Carrier exits per region and cafés per country: as many as a small site sees in a month. */
const CARRIER_ADDRESSES = 24
const ELSEWHERE_ADDRESSES = 60

/** The networks of a population, on addresses with a known class in the bundled data. */
export function demoNetworks(chance: Chance, pool: AddressPool): Networks {
  const shared = new Map<string, readonly string[]>()

  const codeOf = (country: number): string => COUNTRIES[country]?.code ?? 'US'

  function sharedBy(kind: LineKind, country: number, count: number): Place {
    const name = `${kind} ${country} ${count}`
    const known =
      shared.get(name) ?? Array.from({ length: count }, () => pool.draw(kind, codeOf(country), chance))
    shared.set(name, known)
    return { address: () => chance.pick(known) }
  }

  function home(country: number): Home {
    const give = () => pool.draw('residential', codeOf(country), chance)
    let current = give()
    return {
      six: false,
      address: () => current,
      renew() {
        current = give()
      },
    }
  }

  return {
    home,
    carrier: (country) => sharedBy('mobile', country, CARRIER_ADDRESSES),
    office(country) {
      const address = pool.draw('residential', codeOf(country), chance)
      return { address: () => address }
    },
    elsewhere: (country) => sharedBy('residential', country, ELSEWHERE_ADDRESSES),
  }
}
