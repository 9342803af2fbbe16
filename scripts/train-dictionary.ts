import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { constants, zstdCompressSync } from 'node:zlib'
import { NO_FLAGS } from '@inkling/contract'
import { getCountry } from 'countries-and-timezones'
import { scoredEvent } from '../packages/server/src/deliver/webhook-events.ts'
import { snapshotOf } from '../packages/server/src/store/identifications/snapshots.ts'
import type { Scored } from '../packages/server/src/visit/identification.ts'
import { unavailable } from '../packages/server/src/visit/network-evidence.ts'
import { identified } from '../packages/server/test/identified.ts'

/**
 * Makes a dictionary for `store/packed`: pieces that snapshots and events have in common, one after the other, as zstd
 * takes them. The bodies are those of `bench/bodies`, without what belongs to one machine or visitor.
 *
 *     node scripts/train-dictionary.ts --out packages/server/src/store/packed/dictionary-2.txt
 *     node scripts/train-dictionary.ts --without firefox    # judges it by the bodies that it was not made from
 */
const { values } = parseArgs({
  options: {
    /** A new file: databases hold texts that need the earlier ones. */
    out: { type: 'string' },
    /** Leaves out the bodies whose file begins with this. */
    without: { type: 'string' },
  },
})
const BODIES = new URL('../bench/bodies/', import.meta.url)
/** Countries of many visitors with so many time zones that the list is longer than most of a snapshot. */
const COUNTRIES = ['AU', 'MX', 'CA', 'BR', 'RU', 'US']
/** Hashes and identifiers, which the next visitor does not share. */
const OF_ONE_MACHINE = /"[0-9a-f]{16,}"|"[0-9a-f]{8}-[0-9a-f-]{27}"/g

const texts = readdirSync(BODIES)
  .sort()
  .map((file) => ({
    file,
    text: JSON.stringify(JSON.parse(readFileSync(new URL(file, BODIES), 'utf8'))),
  }))

const zones = (country: string): string =>
  JSON.stringify({ timeZones: getCountry(country)?.timezones.toSorted() }).slice(1, -1)

/** A visit behind a proxy, of which the server sees no connection, and one that came to it directly. */
function visits(): Scored[] {
  const visit = identified()
  const verdict = {
    score: 0,
    flags: { ...NO_FLAGS },
    entries: [],
    clear: [],
    unknown: [],
    connectionType: 'direct',
  }
  const behindProxy = unavailable('behind_proxy')
  const network = {
    ...visit.network,
    syn: behindProxy,
    tcpRoundTrip: behindProxy,
    tls: behindProxy,
    http2: behindProxy,
    headers: behindProxy,
    turn: unavailable('off'),
  }
  return [
    { ...visit, verdict },
    { ...visit, network, verdict },
  ]
}

/** The members of a body and of its readings, each a piece. */
function pieces(text: string): string[] {
  const { readings, ...rest } = JSON.parse(text) as { readings: Record<string, unknown> }
  const members = (object: object): string[] =>
    Object.entries(object).map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)},`)
  return [...members(rest), '"readings":{', ...members(readings)]
}

/** What is most likely to be needed comes last, where zstd refers to it in the fewest bits. */
function dictionaryOf(bodies: readonly string[]): string {
  const events = visits().map((visit) =>
    Buffer.from(scoredEvent(visit, { createdAtMs: 0, eventId: undefined })).toString(),
  )
  const contexts = visits().map((visit) => snapshotOf({ ...visit, body: '{}' }))
  const parts = [
    ...COUNTRIES.map(zones),
    ...new Set(bodies.flatMap(pieces)),
    ...events.slice(0, 1),
    ...contexts,
  ]
  return parts.join('').replace(OF_ONE_MACHINE, '""')
}

const sizeWith = (text: string, dictionary?: string): number =>
  zstdCompressSync(text, {
    ...(dictionary !== undefined && { dictionary: Buffer.from(dictionary) }),
    params: { [constants.ZSTD_c_compressionLevel]: 1 },
  }).length

const { without } = values
const left = texts.filter(({ file }) => without === undefined || !file.startsWith(without))
const dictionary = dictionaryOf(left.map(({ text }) => text))
for (const { file, text } of texts) {
  const kind = left.some((other) => other.file === file) ? 'made from it' : 'left out'
  console.log(
    `${file} (${kind}): ${text.length} bytes, ${sizeWith(text)} alone, ${sizeWith(text, dictionary)} with it`,
  )
}
console.log(`the dictionary has ${Buffer.byteLength(dictionary)} bytes`)
if (values.out !== undefined) writeFileSync(values.out, dictionary, { flag: 'wx' })
