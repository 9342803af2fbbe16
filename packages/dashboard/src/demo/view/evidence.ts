import { type Child, element } from '../element.ts'

/** The facts a signal rests on, as they are: names and values. */
export function evidenceView(evidence: Record<string, unknown>): Child {
  const facts = Object.entries(evidence)
  if (facts.length === 0) return null
  return element(
    'dl',
    { class: 'evidence' },
    facts.map(([name, value]) =>
      element('div', {}, element('dt', {}, wordsOf(name)), element('dd', {}, valueText(value))),
    ),
  )
}

/** `gapMinutes` and `gap_minutes` both read as "gap minutes". */
export const wordsOf = (name: string): string =>
  name
    .replaceAll('_', ' ')
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()

export function valueText(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'none'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'string' || typeof value === 'number') return String(value)
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(valueText).join(', ')
  return JSON.stringify(value)
}
