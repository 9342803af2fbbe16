import { type ParsedAddress, parseAddress } from '../../lib/address.ts'
import { isPublicAddress } from '../../lib/address-scope.ts'
import {
  type AddressAnswers,
  type AddressClass,
  type AddressLists,
  classify,
  mainClass,
  type NetworkClass,
  networkClass,
} from './address-class.ts'
import { type AsnTable, type AutonomousSystem, openAsnTable } from './asn-table.ts'
import {
  bundledCountryFile,
  type Country,
  type CountryTable,
  countryOfCode,
  openCountryTable,
} from './country-table.ts'

export type { AddressClass, AddressList, AddressLists, RelayList } from './address-class.ts'

export interface IpFacts extends AddressAnswers {
  countryCode: string | undefined
  /** In English; empty when unknown. */
  country: string
  /** IANA names of all time zones of the country: an address rarely tells the town. */
  timeZones: readonly string[]
  asn: number | undefined
  organization: string | undefined
  /** The main class of the address, see `mainClass`; undefined without data. */
  class: AddressClass | undefined
  /** Where relays that people use, or gateways of companies, have their exits in this network. */
  relayEdge?: true | undefined
}

export interface IpDatabase {
  /** Never throws: for anything but a public address all facts are unknown. */
  lookUp(address: string): IpFacts
  /** Dates of the data, `YYYY-MM-DD`. */
  dataDate: { asn: string | undefined; country: string | undefined }
}

export interface IpDatabaseOptions {
  /** Written by `build/compile-asn.ts`. */
  asnFile: string
  /** A country database in MMDB format; the bundled one by default. */
  countryFile?: string | undefined
  lists?: AddressLists | undefined
}

export function openIpDatabase({ asnFile, countryFile, lists = {} }: IpDatabaseOptions): IpDatabase {
  const { networks, countries } = openTables(asnFile, countryFile ?? bundledCountryFile())
  const relayCountry = (address: ParsedAddress): Country | undefined => {
    const code = lists.privacyRelay?.countryCodeOf?.(address)
    return code === undefined ? undefined : countryOfCode(code)
  }

  return {
    dataDate: { asn: networks.dataDate, country: countries.dataDate },
    lookUp(text) {
      const address = parseAddress(text)
      if (!address || !isPublicAddress(address)) return UNKNOWN
      const network = networks.lookUp(address)
      const answers = classify(address, network?.class, lists)
      const country = (answers.privacyRelay && relayCountry(address)) || countries.lookUp(address)
      return {
        countryCode: country?.code,
        country: country?.name ?? '',
        timeZones: country?.timeZones ?? NO_ZONES,
        asn: network?.asn,
        organization: network?.organization,
        class: mainClass(answers, network !== undefined),
        hosting: answers.hosting,
        vpn: answers.vpn,
        tor: answers.tor,
        privacyRelay: answers.privacyRelay,
        abuser: answers.abuser,
        mobile: answers.mobile,
        ...(network?.class.relayEdge && { relayEdge: true }),
      }
    },
  }
}

interface Tables {
  networks: AsnTable<AutonomousSystem & { class: NetworkClass }>
  countries: CountryTable
}

/** By their files. A process keeps 16 MB of them in memory, once, however many servers it runs. */
const opened = new Map<string, Tables>()

function openTables(asnFile: string, countryFile: string): Tables {
  const key = JSON.stringify([asnFile, countryFile])
  const tables = opened.get(key) ?? {
    networks: openAsnTable(asnFile, (network) => ({ ...network, class: networkClass(network) })),
    countries: openCountryTable(countryFile),
  }
  opened.set(key, tables)
  return tables
}

const NO_ZONES: readonly string[] = Object.freeze([])

const UNKNOWN: IpFacts = Object.freeze({
  countryCode: undefined,
  country: '',
  timeZones: NO_ZONES,
  asn: undefined,
  organization: undefined,
  class: undefined,
  hosting: undefined,
  vpn: undefined,
  tor: undefined,
  privacyRelay: undefined,
  abuser: undefined,
  mobile: undefined,
})
