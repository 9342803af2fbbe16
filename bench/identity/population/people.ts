import type { Chance } from './chance.ts'
import { COUNTRIES, type Country } from './countries.ts'
import type { Cohort, Device, Place, Preferences, Screen } from './device.ts'
import {
  buyAndroid,
  buyDesktop,
  buyFleetImage,
  buyIphone,
  buyMonitor,
  type Bought as Machine,
} from './machines.ts'
import type { Home, Networks } from './networks.ts'

/** Who has which devices. */
export interface Society {
  /** Share of each cohort; phones of one maker and company laptops are the clones. */
  cohorts: readonly (readonly [Cohort, number])[]
  /** Share of household members who have the same device as the one before. */
  twins: number
  /** Laptops of a company, beside three. */
  companyMean: number
  /** Share of a company laptop's visits that come from the office. */
  officeShare: number
  /** What a cohort buys, where that is not what everybody buys; of company laptops, one order of them. */
  market?: Partial<Record<Cohort, (chance: Chance) => Machine>>
  /** Codes of the countries that people live in, where they are not those of the reference. */
  countries?: readonly Country['code'][]
  /** Share of a phone's visits from home and through its carrier. */
  mobile?: readonly [home: number, carrier: number]
  /** Share of a phone's visits that come from the office that the latest company or school has. */
  guestShare?: number
}

export const REFERENCE_SOCIETY: Society = {
  cohorts: [
    ['desktop', 0.42],
    ['android', 0.18],
    ['phone', 0.25],
    ['fleet', 0.15],
  ],
  twins: 0,
  companyMean: 13,
  officeShare: 0.62,
}

interface Household {
  home: Home
  country: number
  languages: readonly string[]
  left: number
  /** What its last member bought. */
  last: Bought | undefined
}

type Bought = Machine & { cohort: Cohort }

interface Company {
  office: Place
  country: number
  languages: readonly string[]
  image: Machine
  monitor: Screen
  left: number
}

export interface Person {
  device: Device
  home: Home
}

/** Who buys which device, with whom they share a line or an employer. */
export function peopleOf(
  chance: Chance,
  networks: Networks,
  society: Society = REFERENCE_SOCIETY,
): () => Person {
  let household: Household | undefined
  let company: Company | undefined
  let count = 0

  const inhabited = COUNTRIES.filter(({ code }) => society.countries?.includes(code) ?? true)
  const countryIndex = (): number => COUNTRIES.indexOf(chance.pickByRank(inhabited, 1.1))
  const languagesIn = (country: number): readonly string[] =>
    chance.pickWeighted(COUNTRIES[country]?.languages ?? [[['en-US', 'en'], 1]])

  function nextHousehold(): Household {
    if (household && household.left > 0) {
      household.left -= 1
      return household
    }
    const country = countryIndex()
    household = {
      home: networks.home(country),
      country,
      languages: languagesIn(country),
      left: chance.pick([0, 0, 0, 1, 1, 2]),
      last: undefined,
    }
    return household
  }

  function nextCompany(): Company {
    if (company && company.left > 0) {
      company.left -= 1
      return company
    }
    const country = countryIndex()
    const size = 3 + Math.floor(chance.exponential(society.companyMean))
    company = {
      office: networks.office(country),
      country,
      languages: languagesIn(country),
      image: (society.market?.fleet ?? buyFleetImage)(chance),
      monitor: buyMonitor(chance),
      left: size - 1,
    }
    return company
  }

  function preferencesIn(country: number, languages: readonly string[]): Preferences {
    const { zone, offsetMinutes } = COUNTRIES[country] ?? { zone: 'UTC', offsetMinutes: 0 }
    return {
      languages,
      timezone: zone,
      offsetMinutes,
      colorScheme: chance.happens(0.35) ? 'dark' : 'light',
      reducedMotion: chance.happens(0.04),
      doNotTrack: chance.happens(0.05) ? '1' : null,
      zoom: chance.happens(0.1) ? chance.pick([1.1, 1.25, 0.9]) : 1,
    }
  }

  const base = (cohort: Cohort, country: number) => ({
    index: count++,
    cohort,
    cookieId: chance.uuid(),
    home: { country },
  })

  function employee(): Person {
    const { office, country, languages, image, monitor } = nextCompany()
    const home = networks.home(country)
    const device: Device = {
      ...base('fleet', country),
      hardware: image.hardware,
      software: image.software,
      preferences: { ...preferencesIn(country, languages), doNotTrack: null },
      habits: {
        places: [
          [office, society.officeShare],
          [home, 0.92 - society.officeShare],
          [networks.carrier(country), 0.04],
          [networks.elsewhere(country), 0.04],
        ],
        dock: chance.happens(0.3) ? monitor : undefined,
      },
    }
    return { device, home }
  }

  function buy(cohort: Cohort): Bought {
    const special = society.market?.[cohort]
    if (special) return { cohort, ...special(chance) }
    if (cohort === 'desktop' || cohort === 'attacker') return { cohort, ...buyDesktop(chance) }
    return cohort === 'android' ? { cohort, ...buyAndroid(chance) } : { cohort, ...buyIphone(chance) }
  }

  const [atHome, onCarrier] = society.mobile ?? [0.55, 0.37]
  const guestShare = society.guestShare ?? 0
  const nextHost = (): Place => (company ?? nextCompany()).office

  return function next(): Person {
    const drawn = chance.pickWeighted(society.cohorts)
    if (drawn === 'fleet') return employee()
    const theirs = nextHousehold()
    const { home, country, languages } = theirs
    const twin = society.twins > 0 && theirs.last && chance.happens(society.twins) ? theirs.last : undefined
    const { cohort, ...bought } = twin ?? buy(drawn)
    theirs.last = { cohort, ...bought }
    const mobile = cohort === 'android' || cohort === 'phone'
    const portable =
      cohort === 'desktop' && bought.hardware.gpu.match(/Iris|Laptop|UHD|Apple M|Radeon\(TM\)/) !== null
    const device: Device = {
      ...base(cohort, country),
      ...bought,
      preferences: preferencesIn(country, chance.happens(0.85) ? languages : languagesIn(country)),
      habits: {
        places: mobile
          ? [
              [home, atHome - guestShare],
              [networks.carrier(country), onCarrier],
              [networks.elsewhere(country), 0.08],
              ...(guestShare > 0 ? [[nextHost(), guestShare] as const] : []),
            ]
          : [
              [home, 0.9],
              [networks.carrier(country), 0.03],
              [networks.elsewhere(country), 0.07],
            ],
        dock: portable && chance.happens(0.22) ? buyMonitor(chance) : undefined,
      },
    }
    return { device, home }
  }
}
