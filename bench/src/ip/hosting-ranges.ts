import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { networkClass } from '../../../packages/server/src/enrich/ip/address-class.ts'

const SERVER = createRequire(import.meta.resolve('../../../packages/server/package.json'))

/** The IPv4 ranges of all hosting networks, from the same rows as Inkling's compiled table. */
export function hostingRanges(): [first: string, last: string][] {
  const csv = readFileSync(SERVER.resolve('@ip-location-db/asn/asn-ipv4.csv'), 'utf8')
  return csv.split('\n').flatMap((row): [string, string][] => {
    const [first, last, asn, ...name] = row.split(',')
    if (!first || !last) return []
    const organization = name
      .join(',')
      .replace(/^"(.*)"$/, '$1')
      .replaceAll('""', '"')
    return networkClass({ asn: Number(asn), organization }).hosting ? [[first, last]] : []
  })
}
