import type { Chance } from './chance.ts'
import type { Place } from './device.ts'

/** Address space of one population: homes, carriers with shared addresses, offices behind one. */
export interface Networks {
  /** A line whose provider gives it another address now and then. */
  home(country: number): Home
  /** Any phone of the country may leave by any address of its carrier. */
  carrier(country: number): Place
  office(country: number): Place
  /** Hotels, cafés, trains: somewhere else each time. */
  elsewhere(country: number): Place
}

export interface Home extends Place {
  /** Whether it has IPv6. */
  six: boolean
  renew(): void
}

export interface Addresses {
  /** Public addresses of a carrier's exit in one region, a multiple of 16; each serves thousands of phones. */
  carrierAddresses: number
  /** Share of homes with IPv6. */
  homesWithSix: number
}
export const REFERENCE_ADDRESSES: Addresses = { carrierAddresses: 48, homesWithSix: 0.25 }

const CARRIERS = 3
const HOME_PREFIXES = 400

export function networksOf(
  chance: Chance,
  { carrierAddresses, homesWithSix }: Addresses = REFERENCE_ADDRESSES,
): Networks {
  const carriers = new Map<number, Place[]>()

  const ipv4 = (first: number, country: number, third: number): string =>
    `${first}.${(country * 7 + (third >> 8)) & 255}.${third & 255}.${1 + chance.below(254)}`
  const ipv6 = (country: number): string =>
    `2a0${country % 10}:${(country + 16).toString(16)}:${chance.below(65_536).toString(16)}:${chance.below(65_536).toString(16)}`

  function home(country: number): Home {
    const dual = chance.happens(homesWithSix)
    const region = chance.below(HOME_PREFIXES)
    const give = () =>
      dual ? ipv6(country) : ipv4(84, country, region + (chance.happens(0.5) ? 0 : chance.below(64)))
    let current = give()
    return {
      // The second half of an IPv6 address changes by the day for privacy.
      address: () => (dual ? `${current}::${(1 + chance.below(65_535)).toString(16)}` : current),
      six: dual,
      renew() {
        current = give()
      },
    }
  }

  function carrierPlace(country: number, index: number): Place {
    const six = index === 1
    return {
      address: () =>
        six
          ? `${ipv6(country)}::${(1 + chance.below(65_535)).toString(16)}`
          : `${100 + index}.${country * 7}.${chance.below(carrierAddresses) >> 4}.${1 + chance.below(16)}`,
    }
  }

  return {
    home,
    carrier(country) {
      const known =
        carriers.get(country) ?? Array.from({ length: CARRIERS }, (_, index) => carrierPlace(country, index))
      carriers.set(country, known)
      return chance.pick(known)
    },
    office(country) {
      const address = ipv4(62, country, chance.below(4_096))
      return { address: () => address }
    },
    elsewhere: (country) => ({ address: () => ipv4(151, country, chance.below(2_048)) }),
  }
}
