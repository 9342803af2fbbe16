import { readItem, writeItem } from '../ids/safe-storage.ts'
import { isLanding, type Landing, thisPage } from './landing.ts'

const KEY = 'inkling_visit'

/** What the tabs of a visit share through localStorage. */
export interface VisitRecord {
  session: string
  landing: Landing
  /** The last check: of whom, and when. */
  user?: string
  checkedAtMs?: number
}

/** The record of this session; a new one, with this page as its landing page, when there is none. */
export function readVisit(session: string): VisitRecord {
  const stored = parse(readItem('localStorage', KEY))
  return stored?.session === session ? stored : { session, landing: thisPage() }
}

export const writeVisit = (record: VisitRecord): void =>
  writeItem('localStorage', KEY, JSON.stringify(record))

function parse(text: string | null): VisitRecord | undefined {
  try {
    const record: Partial<VisitRecord> | null = JSON.parse(text ?? 'null')
    return isLanding(record?.landing) ? (record as VisitRecord) : undefined
  } catch {
    return undefined
  }
}
