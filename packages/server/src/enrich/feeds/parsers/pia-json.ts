import { z } from 'zod'
import type { Entry } from './entry.ts'
import { readJson } from './read-json.ts'

const Document = z.object({
  regions: z.array(z.object({ servers: z.record(z.string(), z.array(z.object({ ip: z.string() }))) })),
})

/** Private Internet Access's servers: the document on the first line, its signature below. */
export function* parsePiaJson(text: string): Generator<Entry> {
  const [document = ''] = text.split('\n', 1)
  for (const { servers } of readJson(document, Document).regions)
    for (const group of Object.values(servers)) for (const { ip } of group) yield { range: ip }
}
