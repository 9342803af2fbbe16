import { getAllCountries } from 'countries-and-timezones'

export interface Country {
  /** ISO 3166, in capitals. */
  code: string
  /** In English. */
  name: string
  /** IANA names of every zone in use there. */
  timeZones: readonly string[]
}

/** What the package lacks: DB-IP uses the code XK, and the two islands have no zone of their own. */
const PATCHES: Record<string, Omit<Country, 'code'>> = {
  XK: { name: 'Kosovo', timeZones: ['Europe/Belgrade'] },
  BV: { name: 'Bouvet Island', timeZones: ['Europe/Oslo'] },
  HM: { name: 'Heard Island and McDonald Islands', timeZones: ['Indian/Kerguelen'] },
}

/** The names that people and databases of addresses use; the package has the formal ones. */
const COMMON_NAMES: Record<string, string> = {
  US: 'United States',
  VA: 'Vatican City',
  VG: 'British Virgin Islands',
  VI: 'U.S. Virgin Islands',
}

const countries = new Map<string, Country>(
  [
    ...Object.values(getAllCountries()).map(({ id, name, timezones }) => ({
      code: id as string,
      name: COMMON_NAMES[id] ?? name,
      timeZones: timezones,
    })),
    ...Object.entries(PATCHES).map(([code, country]) => ({ code, ...country })),
  ].map((country) => [country.code, country]),
)

/** The country of an ISO 3166 code in capitals; undefined for a code that names none, such as `EU`. */
export const countryOfCode = (code: string): Country | undefined => countries.get(code)
