/** One line of evidence. */
export interface EvidenceFact {
  label: string
  /** A text, or facts of its own. */
  value: string | readonly EvidenceFact[]
  /** What the value identifies, where it does. */
  identifier?: 'request_id' | 'ip' | 'local_ip'
}

export const UNKNOWN = 'unknown'

/** A simple value as a text. */
export function plain(value: unknown): string {
  if (value === null || value === undefined) return UNKNOWN
  if (value === '') return 'empty'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'number') return Number.isInteger(value) ? String(value) : value.toFixed(2)
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

export const many = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value])

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Units at the end of a field’s name. */
const UNITS: readonly (readonly [ending: RegExp, unit: string])[] = [
  [/_ms$|Ms$/, 'ms'],
  [/_minutes$|Minutes$/, 'minutes'],
  [/_gb$/, 'GB'],
]

const endingOf = (name: string) => UNITS.find(([ending]) => ending.test(name))

/** The unit that a field’s name ends with. */
export const unitOf = (name: string): string | undefined => endingOf(name)?.[1]

/** A field name as a label, without its unit: `utc_offset` becomes `Utc offset`. */
export function readableName(name: string): string {
  const [ending] = endingOf(name) ?? []
  const words = (ending ? name.replace(ending, '') : name)
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
