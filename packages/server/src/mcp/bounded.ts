const TEXT_MAX = 200
const ITEMS_MAX = 50
const DEPTH_MAX = 8

/**
 * A value cut down to what a reader can take in. Visitors send much of this text: a long text or list ends
 * early and says so.
 */
export function bounded(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return boundedText(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth === DEPTH_MAX) return '…'
  if (Array.isArray(value)) {
    const items = value.slice(0, ITEMS_MAX).map((item) => bounded(item, depth + 1))
    return value.length > ITEMS_MAX ? [...items, left(value)] : items
  }
  const entries = Object.entries(value)
  return Object.fromEntries([
    ...entries.slice(0, ITEMS_MAX).map(([name, item]) => [boundedText(name), bounded(item, depth + 1)]),
    ...(entries.length > ITEMS_MAX ? [['…', left(entries)]] : []),
  ])
}

const boundedText = (text: string): string => (text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX)}…` : text)

const left = ({ length }: readonly unknown[]): string => `… ${length - ITEMS_MAX} more`
