import { z } from 'zod'
import type { Entry } from './entry.ts'
import { readJson } from './read-json.ts'

const Document = z.object({
  regions: z.array(z.object({ cidrs: z.array(z.object({ cidr: z.string() })) })),
})

/** Oracle's `public_ip_ranges.json`. */
export function* parseOracleJson(text: string): Generator<Entry> {
  for (const { cidrs } of readJson(text, Document).regions)
    for (const { cidr } of cidrs) yield { range: cidr }
}
