import { fieldOf, labelOf } from './evidence-fields.ts'
import { type EvidenceFact, isRecord, plain, UNKNOWN, unitOf } from './plain-words.ts'

/**
 * Evidence in words for people, line by line. It is plain JSON that every signal fills in its own way; what has no words
 * of its own is laid out under its name. Fields without a value are left out: nothing is known there.
 */
export function evidenceFacts(evidence: Record<string, unknown>): EvidenceFact[] {
  return Object.entries(evidence).flatMap(([name, value]) => {
    if (value === undefined) return []
    const { says, identifier } = fieldOf(name) ?? {}
    return [
      {
        label: labelOf(name),
        value: value !== null && says ? says(value) : withUnit(name, laidOut(value)),
        ...(identifier && typeof value === 'string' && { identifier }),
      },
    ]
  })
}

function withUnit(name: string, value: EvidenceFact['value']): EvidenceFact['value'] {
  const unit = unitOf(name)
  return unit === undefined || typeof value !== 'string' || value === UNKNOWN ? value : `${value} ${unit}`
}

/** A value as a text; objects, and texts that hold JSON, line by line. */
function laidOut(value: unknown): EvidenceFact['value'] {
  const parsed = typeof value === 'string' ? (jsonIn(value) ?? value) : value
  if (Array.isArray(parsed)) return laidOutList(parsed)
  if (!isRecord(parsed)) return plain(parsed)
  // A reading is stored with whether it could be read.
  if ('ok' in parsed && 'value' in parsed) return laidOut(parsed.value)
  const facts = evidenceFacts(parsed)
  return facts.length === 0 ? 'none' : facts
}

function laidOutList(items: readonly unknown[]): EvidenceFact['value'] {
  if (items.length === 0) return 'none'
  if (!items.some((item) => typeof item === 'object' && item !== null)) return items.map(plain).join(', ')
  const [only] = items
  if (items.length === 1) return laidOut(only)
  // Findings of one kind: each is an object with a name of its own.
  const names = items.flatMap((item) => (isRecord(item) ? Object.keys(item) : ['', '']))
  if (names.length === items.length && new Set(names).size === names.length)
    return items.filter(isRecord).flatMap(evidenceFacts)
  return items.map((item, index) => ({ label: String(index + 1), value: laidOut(item) }))
}

/** An object or array that a text holds as JSON. */
function jsonIn(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
