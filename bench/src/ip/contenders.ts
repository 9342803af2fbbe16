import { BlockList } from 'node:net'
import { type CountryResponse, open } from 'maxmind'
import { bundledCountryFile } from '../../../packages/server/src/enrich/ip/country-table.ts'
import { type IpFacts, openIpDatabase } from '../../../packages/server/src/enrich/ip/ip-facts.ts'
import { hostingRanges } from './hosting-ranges.ts'

const ASN_FILE = new URL('../../../packages/server/data/asn.bin', import.meta.url).pathname

/** A lookup of facts about an address in text form. */
export interface Contender<Answer> {
  /** What it returns, for the table. */
  name: string
  open(): Promise<(address: string) => Answer>
}

export const inkling: Contender<IpFacts> = {
  name: 'Inkling: country, zones, network, class',
  open: async () => openIpDatabase({ asnFile: ASN_FILE }).lookUp,
}

/** With the default cache of the package, on the same file that Inkling opens. */
export const maxmind: Contender<string | undefined> = {
  name: 'maxmind 5.0.7: country',
  async open() {
    const reader = await open<CountryResponse & { country_code?: string }>(bundledCountryFile())
    return (address) => reader.get(address)?.country_code
  },
}

export const blockList: Contender<boolean> = {
  name: 'net.BlockList: hosting or not',
  async open() {
    const list = new BlockList()
    for (const [first, last] of hostingRanges()) list.addRange(first, last)
    return (address) => list.check(address)
  },
}
