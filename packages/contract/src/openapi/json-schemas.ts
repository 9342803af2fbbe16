import { type ComponentName, componentSchemas } from './components.ts'
import type { JsonSchema } from './document.ts'

/** File name of each schema that is published on its own. */
const PUBLISHED = {
  'history-row': 'HistoryRow',
  'history-page': 'HistoryPage',
  'identification-scored': 'IdentificationScored',
  'pattern-changed': 'PatternChanged',
  'webhook-ping': 'WebhookPing',
  'ingest-body': 'IngestBody',
  'domain-profile': 'DomainProfile',
  'legacy-snapshot': 'LegacySnapshot',
  explanation: 'Explanation',
} as const satisfies Record<string, ComponentName>

export type PublishedSchema = keyof typeof PUBLISHED

const DIALECT = 'https://json-schema.org/draft/2020-12/schema'
const DEFS_PREFIX = '#/$defs/'

/** JSON Schemas (draft 2020-12) of what crosses a wire, each complete in itself. */
export function jsonSchemas(): Record<PublishedSchema, JsonSchema> {
  const all = componentSchemas(DEFS_PREFIX)
  const entries = Object.entries(PUBLISHED).map(([file, name]) => {
    const needed = reachable(name, all)
    const $defs = Object.fromEntries(needed.map((other) => [other, all[other]]))
    return [
      file,
      { $schema: DIALECT, title: name, ...all[name], ...(needed.length > 0 && { $defs }) },
    ] as const
  })
  return Object.fromEntries(entries) as Record<PublishedSchema, JsonSchema>
}

/** The schemas that one refers to, directly or through another, in the order of publication. */
function reachable(name: ComponentName, all: Record<ComponentName, JsonSchema>): ComponentName[] {
  const seen = new Set<string>()
  const visit = (from: ComponentName): void => {
    const text = JSON.stringify(all[from])
    const direct = Object.keys(all).filter((other) => text.includes(`"${DEFS_PREFIX}${other}"`))
    for (const other of direct as ComponentName[]) {
      if (seen.has(other)) continue
      seen.add(other)
      visit(other)
    }
  }
  visit(name)
  return (Object.keys(all) as ComponentName[]).filter((other) => seen.has(other))
}
