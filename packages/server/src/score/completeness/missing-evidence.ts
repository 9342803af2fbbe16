import type { ReadingName } from '@inkling/contract'
import type { Identified } from '../../visit/identification.ts'
import { openedChannel } from '../follow-up-channel.ts'
import { DECISIVE_POINTS, type Indicator, WEAK_POINTS_MAX } from '../indicators.ts'
import { isVouchedFor } from '../vouched-body.ts'

/**
 * The readings that every release of the agent names in the body, each with its value or an error. Readings that came
 * later, or that arrive over the follow-up channel, are not among them, so that an older agent is not accused.
 */
const ALWAYS_NAMED = [
  ...['user_agent', 'input', 'automation', 'platform', 'vendor', 'hardware', 'screen', 'window', 'frame'],
  ...['connection', 'timezone', 'languages', 'client_hints', 'waveform', 'storage', 'permissions', 'webgl'],
  ...['raster', 'typefaces', 'preferences', 'plugins', 'missing_apis', 'inspector', 'tampering', 'engine'],
  ...['rounding', 'codecs'],
] as const as readonly ReadingName[]

/**
 * Of these no engine, setting or extension takes the value away, so the only honest error is a timeout. One alone may
 * fail where an extension put something strange into the browser's objects.
 */
const ALWAYS_THERE = [
  ...['user_agent', 'automation', 'platform', 'vendor', 'screen', 'window', 'frame', 'languages'],
  ...['missing_apis', 'engine', 'rounding'],
] as const as readonly ReadingName[]

/** One or two may be of another shape than the schema's, which is as if they were not named. */
const MISSING_MIN = 3
const FAILED_MIN = 3
/** Fewer than this many values are left only by a page that blocked its thread for the whole second. */
const VALUES_FEW = 8

/** What the agent of every release reads first: without these nobody left a page. */
const FIRST_READ = 3
/** They wait for something else in the browser, so those after them may be there before. */
const SLOW = [
  ...['client_hints', 'waveform', 'storage', 'permissions', 'webgl', 'raster', 'typefaces'],
] as const as readonly ReadingName[]
/** In the order of the agent, which finishes each in the task it starts it in. */
const READ_AT_ONCE = ALWAYS_NAMED.filter((name) => !SLOW.includes(name))

/** Of what has an ordinary cause as well, but is rare. */
const RARE_POINTS = 25
/**
 * Of a page that was left, which lacks much for one reason, and of a sealed body whose ticket came too late, which is the
 * network's doing: with one contradiction, such as a switched user agent, it is no verdict.
 */
const HARDLY_POINTS = WEAK_POINTS_MAX - RARE_POINTS

/** What is missing in the body although every agent in every browser sends it. */
export function missingEvidence(identified: Identified): Indicator[] {
  return [...missingReadings(identified), ...missingProof(identified)]
}

function missingReadings({ readings, proof, body }: Identified): Indicator[] {
  const facts = ALWAYS_NAMED.map((name) => ({ name, fact: readings[name] }))
  const missing = facts.filter(({ fact }) => !fact.ok && fact.why === 'missing').map(({ name }) => name)
  if (missing.length === ALWAYS_NAMED.length)
    return [{ name: 'no_readings', group: 'readings', points: DECISIVE_POINTS, evidence: true }]
  const found: Indicator[] = []
  // A page that is being left sends what it has read by then, the first ones first.
  const reached = proof?.interrupted ? ALWAYS_NAMED.slice(0, 1) : ALWAYS_NAMED
  const unnamed = missing.filter((name) => reached.includes(name))
  const isCutShort = unnamed.length > 0 && hasNoProof(proof) && isRestMissing(unnamed)
  if (unnamed.length > 0) {
    const points = unnamed.length >= MISSING_MIN ? DECISIVE_POINTS : 10 * unnamed.length
    found.push({
      name: 'readings_missing',
      // An agent before tickets lacks both for one reason.
      group: isCutShort ? 'proof' : 'readings',
      points: isCutShort ? Math.min(points, RARE_POINTS) : points,
      evidence: unnamed,
    })
  }
  const failed = ALWAYS_THERE.filter((name) => {
    const fact = readings[name]
    return !fact.ok && (fact.why === 'unsupported' || fact.why === 'failed')
  })
  if (failed.length > 0)
    found.push({
      name: 'readings_failed',
      group: 'readings',
      points: failed.length >= FAILED_MIN ? DECISIVE_POINTS : 10 * failed.length,
      evidence: failed,
    })
  const impossible = impossibleTimeouts(body)
  if (impossible.length > 0)
    found.push({
      name: 'impossible_timeouts',
      group: 'readings',
      points: DECISIVE_POINTS,
      evidence: impossible,
    })
  const values = facts.filter(({ fact }) => fact.ok || fact.why === 'timeout').length
  if (values < VALUES_FEW && !proof?.interrupted && !isCutShort)
    found.push({ name: 'few_values', group: 'readings', points: 15, evidence: values })
  return found
}

/**
 * Readings that cannot have timed out: the agent reads the user agent before any time has passed, and after one that it had
 * no time to start it starts none.
 */
function impossibleTimeouts(body: string): ReadingName[] {
  const sent = sentWithTimeouts(body)
  const isTimeout = (name: ReadingName): boolean => sent[name]?.error === 'timeout'
  const last = READ_AT_ONCE.findLastIndex((name) => sent[name] !== undefined && !isTimeout(name))
  return READ_AT_ONCE.filter((name, place) => isTimeout(name) && (place === 0 || place < last))
}

type Sent = Partial<Record<ReadingName, { error?: string }>>

/**
 * The readings of a body with timeouts, and nothing of any other, so that few are parsed again. Of the body, because the
 * visit's readings have what came later, which fills gaps in no order.
 */
function sentWithTimeouts(body: string): Sent {
  if (!body.includes('"timeout"')) return {}
  return (JSON.parse(body) as { readings?: Sent }).readings ?? {}
}

/** As of agents before tickets: they say of no page that it was left early. */
const hasNoProof = (proof: Identified['proof']): boolean =>
  !proof || (proof.ticket.state === 'missing' && proof.body === 'unbound' && proof.key.state === 'none')

/** Whether these are the last ones that the agent reads, as when a page is left before it has read them all. */
function isRestMissing(missing: readonly ReadingName[]): boolean {
  const reached = READ_AT_ONCE.findIndex((name) => missing.includes(name))
  if (reached < 0) return true
  return reached >= FIRST_READ && READ_AT_ONCE.slice(reached).every((name) => missing.includes(name))
}

/** Why a ticket counts as forged though this server may have made it: its key is no longer known. */
const KEY_LOST = 'unknown_key'

/**
 * Nothing is asked of visits before tickets, and little where tickets do not arrive from honest visitors either. One
 * request that fails leaves an honest agent without its ticket, but then it still seals its body and signs it or says
 * that it cannot, which is decisive together alone: whoever copies a body and takes its proof off has none of the three.
 * A page that was left before it could sign, or of which it is not known that it opened no channel although all others
 * do, is believed to have a slow network.
 */
function missingProof(identified: Identified): Indicator[] {
  const { proof } = identified
  if (!proof) return []
  const { ticket, body, key, interrupted, expected } = proof
  const found: Indicator[] = []
  const add = (name: string, points: number, evidence: unknown = true): void => {
    found.push({ name, group: 'proof', points, evidence })
  }
  if (ticket.state === 'missing' && expected)
    add(
      'ticket_missing',
      interrupted || isVouchedFor(proof)
        ? HARDLY_POINTS
        : openedChannel(identified) === false
          ? DECISIVE_POINTS
          : RARE_POINTS,
    )
  if (ticket.state === 'forged')
    add('ticket_forged', ticket.why === KEY_LOST ? 15 : DECISIVE_POINTS, ticket.why)
  if (ticket.state === 'foreign') add('ticket_foreign', 25, ticket.why)
  // Nothing on the way changes a body: it is encrypted, or sealed by its digest.
  if (body === 'altered') add('body_altered', DECISIVE_POINTS)
  if (key.state === 'invalid') add('key_invalid', 25)
  // Every agent that can say that a page was left binds its bodies.
  if (body === 'unbound' && (ticket.state === 'valid' || interrupted))
    add('body_unbound', interrupted ? DECISIVE_POINTS : RARE_POINTS)
  if (key.state === 'none' && ticket.state === 'valid' && !interrupted) add('key_missing', 15)
  return found
}
