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
  /** Probability of an address at any place of a country, where nothing is known of the line. */
  oddsIn?(country: number, kind: 'home' | 'carrier' | 'office' | 'elsewhere', address: string): number
}

export interface Home extends Place {
  /** Whether it has IPv6. */
  six: boolean
  renew(): void
  /** Probability that the line has this address after it was renewed. */
  renewedOdds?(address: string): number
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
const HOSTS = 254
const OFFICES = 4_096
const ELSEWHERE = 2_048
/** Of a subscriber's IPv6 prefix; the half that changes daily says nothing. */
const SIX_PREFIXES = 65_536 ** 2

export function networksOf(
  chance: Chance,
  { carrierAddresses, homesWithSix }: Addresses = REFERENCE_ADDRESSES,
): Networks {
  const carriers = new Map<number, Place[]>()

  const ipv4 = (first: number, country: number, third: number): string =>
    `${first}.${(country * 7 + (third >> 8)) & 255}.${third & 255}.${1 + chance.below(254)}`
  const ipv6 = (country: number): string =>
    `2a0${country % 10}:${(country + 16).toString(16)}:${chance.below(65_536).toString(16)}:${chance.below(65_536).toString(16)}`

  const ipv6Country = (country: number): string => `2a0${country % 10}:${(country + 16).toString(16)}:`
  const isSix = (country: number, address: string): boolean => address.startsWith(ipv6Country(country))

  /** Third part of an IPv4 address, as `ipv4` got it; undefined in another country or network. */
  function thirdOf(first: number, country: number, address: string): number | undefined {
    const [a, b, c] = address.split('.').map(Number)
    if (a !== first || b === undefined || c === undefined) return undefined
    return (((b - country * 7) & 255) << 8) + c
  }

  const among = (first: number, country: number, count: number, address: string): number => {
    const third = thirdOf(first, country, address)
    return third !== undefined && third < count ? 1 / count / HOSTS : 0
  }

  const carrierOdds = (country: number, index: number, address: string): number => {
    if (index === 1) return isSix(country, address) ? 1 / SIX_PREFIXES : 0
    return address.startsWith(`${100 + index}.${country * 7}.`) ? 1 / carrierAddresses : 0
  }

  const elsewhereOdds = (country: number, address: string): number => among(151, country, ELSEWHERE, address)

  function oddsIn(
    country: number,
    kind: 'home' | 'carrier' | 'office' | 'elsewhere',
    address: string,
  ): number {
    if (kind === 'elsewhere') return elsewhereOdds(country, address)
    if (kind === 'office') return among(62, country, OFFICES, address)
    if (kind === 'carrier')
      return [0, 1, 2].reduce((sum, index) => sum + carrierOdds(country, index, address) / CARRIERS, 0)
    if (isSix(country, address)) return homesWithSix / SIX_PREFIXES
    return (1 - homesWithSix) * among(84, country, HOME_PREFIXES + 64, address)
  }

  function home(country: number): Home {
    const dual = chance.happens(homesWithSix)
    const region = chance.below(HOME_PREFIXES)
    const give = () =>
      dual ? ipv6(country) : ipv4(84, country, region + (chance.happens(0.5) ? 0 : chance.below(64)))
    let current = give()
    return {
      // The second half of an IPv6 address changes by the day for privacy.
      address: () => (dual ? `${current}::${(1 + chance.below(65_535)).toString(16)}` : current),
      odds: (address) => Number(address.split('::')[0] === current),
      renewedOdds(address) {
        if (dual) return isSix(country, address) ? 1 / SIX_PREFIXES : 0
        const third = thirdOf(84, country, address)
        const step = third === undefined ? -1 : third - region
        if (step < 0 || step >= 64) return 0
        return ((step === 0 ? 0.5 : 0) + 0.5 / 64) / HOSTS
      },
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
      odds: (address) => carrierOdds(country, index, address),
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
      const address = ipv4(62, country, chance.below(OFFICES))
      return { address: () => address, odds: (other) => Number(other === address) }
    },
    elsewhere: (country) => ({
      address: () => ipv4(151, country, chance.below(ELSEWHERE)),
      odds: (address) => elsewhereOdds(country, address),
    }),
    oddsIn,
  }
}
