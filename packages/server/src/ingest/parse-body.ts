import { READINGS, ReadingError, type ReadingName } from '@inkling/contract'
import type { z } from 'zod'
import { nestsOver } from '../lib/nests-over.ts'
import { Refusal } from '../lib/refusal.ts'
import { uuidOrNil } from '../lib/uuid.ts'
import type { Fact, Readings, Received } from '../visit/identification.ts'

/** Stored when the agent sent no account identifier. */
const NO_USER_HID = 'fail'
const USER_HID_LENGTH_MAX = 1_024
/** An index entry of PostgreSQL holds 2,704 bytes, other columns included. */
const USER_HID_BYTES_MAX = 2_048
/** Several times what an agent sends. */
const LEVELS_MAX = 32

const SCHEMAS = Object.entries(READINGS) as [ReadingName, z.ZodType][]
const MISSING: Fact<never> = { ok: false, why: 'missing' }

export type ParsedBody = Pick<
  Received,
  'sessionId' | 'cookieId' | 'userHid' | 'landing' | 'readings' | 'followUp'
>

/**
 * Reads a plain JSON body. Only text that is no JSON object, or one nested far deeper than any agent's, is
 * refused; a field or reading of another form than published counts as missing.
 */
export function parseBody(text: string): ParsedBody {
  const body = parseObject(text)
  const landing = isObject(body.landing) ? body.landing : {}
  return {
    sessionId: uuidOrNil(textOrUndefined(body.session_id)),
    cookieId: uuidOrNil(textOrUndefined(body.cookie_id)),
    userHid: userHidOf(body.user_hid),
    landing: { url: textOrUndefined(landing.url) ?? '', referrer: textOrUndefined(landing.referrer) ?? '' },
    readings: parseReadings(body.readings),
    followUp: body.follow_up === true,
  }
}

/** What goes on while the visitor is there; what came later says more. */
const GROWING: readonly ReadingName[] = ['input']

/** The readings with those that came later, as JSON text; they fill gaps and replace only what grows. */
export function withLateReadings(readings: Readings, late: string): Readings {
  const added = parseReadings(parseObject(late))
  return Object.fromEntries(
    SCHEMAS.map(([name]) => {
      const renewed = GROWING.includes(name) && added[name].ok
      return [name, readings[name].ok && !renewed ? readings[name] : added[name]]
    }),
  ) as Readings
}

/** Every reading missing, as for a visitor without JavaScript. */
export const noReadings = (): Readings => parseReadings(undefined)

function parseObject(text: string): Record<string, unknown> {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch (cause) {
    throw new Refusal('invalid_request', 'body is not valid JSON', { cause })
  }
  if (!isObject(body)) throw new Refusal('invalid_request', 'body must be a JSON object')
  if (nestsOver(body, LEVELS_MAX)) throw new Refusal('invalid_request', 'body is nested too deep')
  return body
}

function parseReadings(sent: unknown): Readings {
  const given = isObject(sent) ? sent : {}
  return Object.fromEntries(SCHEMAS.map(([name, schema]) => [name, factOf(given[name], schema)])) as Readings
}

function factOf(reading: unknown, schema: z.ZodType): Fact<unknown> {
  if (!isObject(reading)) return MISSING
  const value = schema.safeParse(reading.value)
  if (value.success) return { ok: true, value: value.data }
  const error = ReadingError.safeParse(reading.error)
  return error.success ? { ok: false, why: error.data } : MISSING
}

function userHidOf(sent: unknown): string {
  if (typeof sent !== 'string') return NO_USER_HID
  // Cutting it could join two accounts.
  if (sent.length > USER_HID_LENGTH_MAX)
    throw new Refusal('invalid_request', `user_hid is longer than ${USER_HID_LENGTH_MAX} characters`)
  if (Buffer.byteLength(sent) > USER_HID_BYTES_MAX)
    throw new Refusal('invalid_request', `user_hid is longer than ${USER_HID_BYTES_MAX} bytes`)
  // Half a surrogate pair cannot be stored, nor be searched for.
  return sent.toWellFormed()
}

const textOrUndefined = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
