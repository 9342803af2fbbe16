import type { IngestBody, ReportedReadings } from '@inkling/contract'
import { collect } from './collect/collect.ts'
import { type AgentConfig, agentVersion, readConfig } from './config.ts'
import { type FollowUp, openFollowUp } from './follow/follow-up.ts'
import { deliver } from './send/deliver.ts'
import { openProver } from './send/proof.ts'
import { LATE_SOURCES, SOURCES } from './sources/index.ts'
import { enterVisit, type Visit } from './visit/enter-visit.ts'
import { inTurn } from './visit/locks.ts'
import { newUuid } from './visit/uuid.ts'

export type CheckResult =
  | { readonly status: 'initialized'; readonly requestID: string }
  | { readonly status: 'not_initialized' }

export interface CheckOptions {
  /** Called once, asynchronously, before anything is collected or sent. */
  onInitialized?: (result: CheckResult) => void
  /** Called once when the visit is stored, with what only your backend can read; null where the domain has none. */
  onSealedVerdict?: (sealed: string | null) => void
}

const NOT_INITIALIZED: CheckResult = { status: 'not_initialized' }
const USER_HID_LENGTH_MAX = 1_024
const USER_HID_BYTES_MAX = 2_048
/** For readings that take too long for the snapshot. The final score waits for them. */
const LATE_LIMIT_MS = 4_000

/** Starts a check and returns at once. It never throws, and no error of the check reaches the page. */
export function startCheck(userHid: unknown, forced: boolean, options: unknown): void {
  const answer = callOnce<CheckResult>(options, 'onInitialized')
  run(userHid, forced, answer, callOnce(options, 'onSealedVerdict')).catch(() => answer(NOT_INITIALIZED))
}

async function run(
  userHid: unknown,
  forced: boolean,
  answer: (result: CheckResult) => void,
  sealed: (verdict: string | null) => void,
) {
  const user = userTextOf(userHid)
  const config = readConfig()
  if (!config) return answer(NOT_INITIALIZED)
  const requestId = newUuid()
  // Of datejs it is a Date.
  const atMs = Number(Date.now())
  const visit = inTurn(() => enterVisit({ user, forced, atMs }))
  // A forced check always runs, so it need not wait for the other tabs.
  if (!forced && !(await visit)) return answer(NOT_INITIALIZED)
  answer({ status: 'initialized', requestID: requestId })
  // Lets the callback run first, because collecting takes the thread for some milliseconds.
  await undefined
  await identify(config, requestId, user, visit, sealed)
}

async function identify(
  { publicKey, ingestUrl, serverKey, followUp }: AgentConfig,
  requestId: string,
  user: string | undefined,
  entering: Promise<Visit | undefined>,
  sealed: (verdict: string | null) => void,
): Promise<void> {
  const startedAt = performance.now()
  const key = `?publicKey=${encodeURIComponent(publicKey)}`
  // Both first, so that the ticket comes and the network check runs while readings are collected.
  const prover = openProver(`${ingestUrl}/ticket/${requestId}${key}`, requestId)
  const following: FollowUp | undefined = followUp ? openFollowUp(ingestUrl, requestId + key) : undefined
  const { readings, done } = collect(SOURCES)
  let visit: Visit | undefined
  const entered = entering.then(
    (value) => {
      visit = value
    },
    () => undefined,
  )
  // What is undefined is not in the JSON.
  const body = (): IngestBody => ({
    version: 1,
    request_id: requestId,
    agent_version: agentVersion(),
    ...visit,
    user_hid: user,
    join: document.querySelector<HTMLMetaElement>('meta[name=inkling-join]')?.content,
    follow_up: following?.isOpen() || undefined,
    // The fraction makes each body unlike any other.
    duration_ms: Math.round(performance.now() - startedAt) + Math.random(),
    readings,
  })
  await deliver({
    url: `${ingestUrl}/snapshot/${requestId}${key}`,
    requestId,
    serverKey,
    body,
    ready: Promise.all([entered, done]),
    prover,
    sealed,
  })
  await following?.report(() => collectLate(readings), prover.ticket)
}

/** What follows the snapshot, and what a slow machine had no time for before it. */
async function collectLate(early: ReportedReadings): Promise<ReportedReadings> {
  const before: Partial<Record<string, { value?: unknown; error?: string }>> = early
  const missed = Object.entries(SOURCES).filter(([name]) => before[name]?.error === 'timeout')
  const { readings, done } = collect(
    { ...LATE_SOURCES, ...Object.fromEntries(missed) },
    // Each in a task of its own: nobody waits for them.
    { limitMs: LATE_LIMIT_MS, sliceMs: 0 },
  )
  await done
  return readings
}

/**
 * The identifier as passed, the empty text included, or a whole number as text. Anything else is left out, and the
 * server stores `fail`: the text of `null` or of an object would join the accounts of many users, and so would
 * cutting an identifier that is too long.
 */
function userTextOf(userHid: unknown): string | undefined {
  const text = Number.isSafeInteger(userHid) ? String(userHid) : userHid
  return typeof text === 'string' &&
    text.length <= USER_HID_LENGTH_MAX &&
    new Blob([text]).size <= USER_HID_BYTES_MAX
    ? text
    : undefined
}

/** A function that calls the page back asynchronously, once. What the callback throws is dropped. */
function callOnce<Result>(options: unknown, name: keyof CheckOptions): (result: Result) => void {
  let callback = callbackOf<Result>(options, name)
  return (result) => {
    // In a promise chain, so that the rejection of an async callback is caught as well.
    Promise.resolve(Object.freeze(result))
      .then(callback)
      .catch(() => undefined)
    callback = undefined
  }
}

/** Only an object's members count. A bare function is ignored, even one with that property; `then` ignores all else. */
function callbackOf<Result>(options: unknown, name: keyof CheckOptions) {
  try {
    const callback = typeof options === 'object' ? (options as CheckOptions | null)?.[name] : undefined
    return callback as ((result: Result) => void) | undefined
  } catch {
    return undefined
  }
}
