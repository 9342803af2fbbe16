import { z } from 'zod'
import { MalformedFeed } from '../malformed-feed.ts'
import type { Entry } from './entry.ts'
import { linesOf } from './lines.ts'
import { readJson } from './read-json.ts'

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
