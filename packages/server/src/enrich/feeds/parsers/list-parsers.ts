import { z } from 'zod'
import { type Entry, MalformedFeed, readJson } from './feed-parser.ts'

/** One address or CIDR per line; `#` starts a comment. */
export function* parseLines(text: string): Generator<Entry> {
  for (const range of contentLines(text)) yield { range }
}

/** The lines without comments and blanks. */
export function* contentLines(text: string): Generator<string> {
  for (const line of linesOf(text)) {
    const [content = ''] = line.split('#', 1)
    const trimmed = content.trim()
    if (trimmed !== '') yield trimmed
  }
}

/** Made one by one: a feed may have hundreds of thousands. */
export function* linesOf(text: string): Generator<string> {
  let start = 0
  while (start < text.length) {
    const found = text.indexOf('\n', start)
    const end = found < 0 ? text.length : found
    yield text.slice(start, end)
    start = end + 1
  }
}

/** `range,country,region,city,…` as RFC 8805 has it; Apple's relay ranges come this way too. */
export function* parseGeofeedCsv(text: string): Generator<Entry> {
  for (const line of contentLines(text)) {
    const [range = '', country = ''] = line.split(',', 2)
    const code = country.trim().toUpperCase()
    yield { range: range.trim(), country: /^[A-Z]{2}$/.test(code) ? code : undefined }
  }
}

/** IPsum's own advice: an address that fewer lists name is too often an innocent one. */
const LISTS_MIN = 3

/** `address<TAB>number of lists that name it`; those that enough lists name. */
export function* parseIpsum(text: string): Generator<Entry> {
  for (const line of contentLines(text)) {
    const [range = '', count = ''] = line.split(/\s+/, 2)
    if (!/^\d{1,4}$/.test(count))
      throw new MalformedFeed(`no count of lists in ${JSON.stringify(line.slice(0, 60))}`)
    if (Number(count) >= LISTS_MIN) yield { range }
  }
}

const Line = z.union([
  z.object({ cidr: z.string() }),
  z.object({ type: z.literal('metadata'), records: z.number().int() }),
])

/** One JSON object per line. The last one says how many there were: without it the list is cut short. */
export function* parseSpamhausDrop(text: string): Generator<Entry> {
  let rows = 0
  let promised: number | undefined
  for (const line of linesOf(text)) {
    if (line.trim() === '') continue
    if (promised !== undefined) throw new MalformedFeed('goes on after its metadata line')
    const parsed = readJson(line, Line)
    if ('records' in parsed) promised = parsed.records
    else {
      rows++
      yield { range: parsed.cidr }
    }
  }
  if (promised === undefined) throw new MalformedFeed('ends without its metadata line')
  if (promised !== rows) throw new MalformedFeed(`promises ${promised} records and has ${rows}`)
}
