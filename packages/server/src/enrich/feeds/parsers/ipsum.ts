import { MalformedFeed } from '../malformed-feed.ts'
import type { Entry } from './entry.ts'
import { contentLines } from './lines.ts'

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
