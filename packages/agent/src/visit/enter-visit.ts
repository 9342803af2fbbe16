import { cookieId } from '../ids/cookie-id.ts'
import { joinSession } from '../ids/session-id.ts'
import type { Landing } from './landing.ts'
import { userMark } from './user-mark.ts'
import { readVisit, writeVisit } from './visit-record.ts'

const WINDOW_MS = 5 * 60 * 1_000

/** Whom a check without a usable user identifier is about; the server stores `fail` for it. */
const NO_USER = 'fail'

export interface Visit {
  sessionId: string
  cookieId: string
  landing: Landing
}

export interface Caller {
  user: string | undefined
  forced: boolean
  /** When the page made the call. */
  atMs: number
}

/**
 * The visit that a check belongs to, or undefined when the check is held back because another one of
 * the same user ran in this visit less than five minutes ago. To be called in turn: whatever it
 * answers other than undefined starts the next five minutes.
 */
export async function enterVisit({ user, forced, atMs }: Caller): Promise<Visit | undefined> {
  const sessionId = await joinSession()
  const record = readVisit(sessionId)
  const mark = userMark(user ?? NO_USER)
  const heldBack = !forced && record.user === mark && isNear(record.checkedAtMs, atMs)
  if (!heldBack) writeVisit({ ...record, user: mark, checkedAtMs: atMs })
  return heldBack ? undefined : { sessionId, cookieId: cookieId(), landing: record.landing }
}

/**
 * On either side: calls take their turn a little later than they are made. A time further ahead means
 * that the clock was set back, and believing it could hold checks back for years.
 */
const isNear = (checkedAtMs = Number.NaN, atMs: number): boolean => Math.abs(atMs - checkedAtMs) < WINDOW_MS
