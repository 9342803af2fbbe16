import { z } from 'zod'
import { type Entry, MalformedFeed, readJson } from './feed-parser.ts'

/** Feeds with one entry per line: a plain address or CIDR; `#` starts a comment. */
export function* parseLines(text: string): Generator<Entry> {
  for (const range of contentLines(text)) yield { range }
}

/** Lines without comments and blank lines. */
function* contentLines(text: string): Generator<string> {
  for (const line of linesOf(text)) {
    const [content = ''] = line.split('#', 1)
    const trimmed = content.trim()
    if (trimmed !== '') yield trimmed
  }
}

/** A generator, because a feed may have hundreds of thousands of lines. */
function* linesOf(text: string): Generator<string> {
  let start = 0
  while (start < text.length) {
    const found = text.indexOf('\n', start)
    const end = found < 0 ? text.length : found
    yield text.slice(start, end)
    start = end + 1
  }
}

/** `range,country,region,city,…` (https://www.rfc-editor.org/rfc/rfc8805), also used for Apple's relay ranges. */
export function* parseGeofeedCsv(text: string): Generator<Entry> {
  for (const line of contentLines(text)) {
    const [range = '', country = ''] = line.split(',', 2)
    const code = country.trim().toUpperCase()
    yield { range: range.trim(), country: /^[A-Z]{2}$/.test(code) ? code : undefined }
  }
}

/** IPsum recommends it: with fewer lists there are too many false positives. https://github.com/stamparm/ipsum */
const LISTS_MIN = 3

/** `address<TAB>number of blocklists that contain it`; yields only addresses on enough lists. */
export function* parseIpsum(text: string): Generator<Entry> {
  for (const line of contentLines(text)) {
    const [range = '', count = ''] = line.split(/\s+/, 2)
    if (!/^\d{1,4}$/.test(count))
      throw new MalformedFeed(`no count of lists in ${JSON.stringify(line.slice(0, 60))}`)
    if (Number(count) >= LISTS_MIN) yield { range }
  }
}

const SPAMHAUS_LINE = z.union([
  z.object({ cidr: z.string() }),
  z.object({ type: z.literal('metadata'), records: z.number().int() }),
])

/** One JSON object per line. The last one has the number of entries; without it the list is truncated. */
export function* parseSpamhausDrop(text: string): Generator<Entry> {
  let rows = 0
  let declared: number | undefined
  for (const line of linesOf(text)) {
    if (line.trim() === '') continue
    if (declared !== undefined) throw new MalformedFeed('goes on after its metadata line')
    const parsed = readJson(line, SPAMHAUS_LINE)
    if ('records' in parsed) declared = parsed.records
    else {
      rows++
      yield { range: parsed.cidr }
    }
  }
  if (declared === undefined) throw new MalformedFeed('ends without its metadata line')
  if (declared !== rows) throw new MalformedFeed(`declares ${declared} records and has ${rows}`)
}
