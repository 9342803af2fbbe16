import type { Entry } from './entry.ts'
import { contentLines } from './lines.ts'

/** `range,country,region,city,…` as RFC 8805 has it; Apple's relay ranges come this way too. */
export function* parseGeofeedCsv(text: string): Generator<Entry> {
  for (const line of contentLines(text)) {
    const [range = '', country = ''] = line.split(',', 2)
    const code = country.trim().toUpperCase()
    yield { range: range.trim(), country: /^[A-Z]{2}$/.test(code) ? code : undefined }
  }
}
