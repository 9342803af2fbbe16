import { toJson } from '../collect/json.ts'
import { cookieId } from './cookie-id.ts'
import { readItem, writeItem } from './safe-storage.ts'
import { joinSession } from './session.ts'

const WINDOW_MS = 5 * 60 * 1_000

/** Stands for a missing or unusable user identifier; the server stores the same. */
const NO_USER = 'fail'

/** As in the body. */
export interface Visit {
  session_id: string
  cookie_id: string
  landing: Landing
}

interface Caller {
  user: string | undefined
  forced: boolean
  /** When the page made the call. */
  atMs: number
}

/**
 * The visit that a check belongs to. Undefined when the check must not run, because one of the same user ran in this
 * visit less than five minutes ago; otherwise the next five minutes begin. Call it within `inTurn`.
 */
export async function enterVisit({ user, forced, atMs }: Caller): Promise<Visit | undefined> {
  const session_id = await joinSession()
  const record = readVisit(session_id)
  const mark = userMark(user ?? NO_USER)
  const tooSoon = !forced && record.user === mark && isNear(record.checkedAtMs, atMs)
  if (!tooSoon) writeVisit({ ...record, user: mark, checkedAtMs: atMs })
  return tooSoon ? undefined : { session_id, cookie_id: cookieId(), landing: record.landing }
}

/**
 * Also true for a last check slightly in the future, since calls run a little later than they are made. One far in the
 * future means that the clock was set back, and must not stop checks until the clock catches up.
 */
const isNear = (checkedAtMs = Number.NaN, atMs: number): boolean => Math.abs(atMs - checkedAtMs) < WINDOW_MS

const KEY = 'inkling_visit'

/** What the tabs of a visit share through localStorage. */
interface VisitRecord {
  session: string
  landing: Landing
  /** Mark of the user of the last check. */
  user?: string
  checkedAtMs?: number
}

/** The record of this session; a new one, with this page as its landing page, if there is none. */
function readVisit(session: string): VisitRecord {
  const stored = parse(readItem('localStorage', KEY))
  return stored?.session === session ? stored : { session, landing: thisPage() }
}

const writeVisit = (record: VisitRecord): void => writeItem('localStorage', KEY, toJson(record))

function parse(text: string | null): VisitRecord | undefined {
  try {
    const record: Partial<VisitRecord> | null = JSON.parse(text ?? 'null')
    return isLanding(record?.landing) ? (record as VisitRecord) : undefined
  } catch {
    return undefined
  }
}

const LENGTH_MAX = 8_192

/** The first page of a visit and where its visitor came from. */
export interface Landing {
  url: string
  referrer: string
}

/** This page, without its fragment: browsers never send that either. */
const thisPage = (): Landing => ({
  url: (location.href.split('#', 1)[0] ?? '').slice(0, LENGTH_MAX),
  referrer: document.referrer.slice(0, LENGTH_MAX),
})

const isLanding = (value: unknown): value is Landing =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as Landing).url === 'string' &&
  typeof (value as Landing).referrer === 'string'

/**
 * Tells users apart without their identifiers in the browser's storage: 64 bits, by two runs of FNV-1a
 * (http://www.isthe.com/chongo/tech/comp/fnv/) from different starts.
 */
function userMark(user: string): string {
  return [0x811c9dc5, 0x1b873593].map((start) => fnv1a(user, start).toString(36)).join('-')
}

function fnv1a(text: string, start: number): number {
  let hash = start
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}
