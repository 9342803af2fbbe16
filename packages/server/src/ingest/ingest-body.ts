import { createDecipheriv, createECDH, hkdfSync } from 'node:crypto'
import { ENCRYPTED_BODY, GROWING_READINGS, READINGS, ReadingError, type ReadingName } from '@inkling/contract'
import type { z } from 'zod'
import { AppError } from '../lib/errors.ts'
import { isDeeperThan } from '../lib/json-depth.ts'
import { uuidOrNil } from '../lib/uuid.ts'
import type { Fact, Readings, Received } from '../visit/received.ts'

const { versionByte, publicKeyBytes, nonceBytes, tagBytes, info } = ENCRYPTED_BODY
const HEADER_BYTES = 1 + publicKeyBytes + nonceBytes

export interface BodyDecoder {
  /** The raw point of the P-256 public key that the agent carries. */
  publicKey: Buffer
  /**
   * The plain JSON text of an ingest body. An encrypted body opens only under the request ID it was made for.
   * @throws AppError when it cannot be decrypted
   */
  decode(body: Buffer, requestId: string): string
}

export function createBodyDecoder(privateKey: Uint8Array): BodyDecoder {
  const ecdh = createECDH('prime256v1')
  ecdh.setPrivateKey(privateKey)

  function decrypt(body: Buffer, requestId: string): string {
    const ephemeral = body.subarray(1, 1 + publicKeyBytes)
    const nonce = body.subarray(1 + publicKeyBytes, HEADER_BYTES)
    const key = hkdfSync('sha256', ecdh.computeSecret(ephemeral), ephemeral, info, 32)
    const decipher = createDecipheriv('aes-256-gcm', new Uint8Array(key), nonce)
    decipher.setAAD(Buffer.from(requestId.toLowerCase(), 'utf8'))
    decipher.setAuthTag(body.subarray(-tagBytes))
    const text = decipher.update(body.subarray(HEADER_BYTES, -tagBytes))
    return Buffer.concat([text, decipher.final()]).toString('utf8')
  }

  return {
    publicKey: ecdh.getPublicKey(),
    decode(body, requestId) {
      // JSON text never starts with this byte.
      if (body[0] !== versionByte) return body.toString('utf8')
      try {
        if (body.length < HEADER_BYTES + tagBytes) throw new RangeError('shorter than its header')
        return decrypt(body, requestId)
      } catch (cause) {
        throw new AppError('INK_UNDECRYPTABLE_BODY', undefined, { cause })
      }
    },
  }
}

/** Stored when the agent sent no account identifier. */
const NO_USER_HID = 'fail'
const USER_HID_LENGTH_MAX = 1_024
/** An index entry of PostgreSQL holds 2,704 bytes, other columns included. */
const USER_HID_BYTES_MAX = 2_048
/** Several times the agent's depth. */
const LEVELS_MAX = 32

/**
 * Bytes of a body and of the late readings that are kept. Browsers send 4 to 6 KB (`bench/bodies`). What else a snapshot
 * holds, such as the names of headers, takes at most as much again, so that a snapshot stays below 32 KB.
 */
const KEPT_BYTES_MAX = 16 * 1_024
/** Of one reading, where all together are too large. The largest of a browser, the features of its engine, takes 1.5 KB. */
const READING_BYTES_MAX = 4 * 1_024
/** Of a longer address only the start is kept; the row has 2,048 characters of it. */
const URL_BYTES_MAX = 6 * 1_024
/** Browsers shorten a referrer of more than 4,096 characters to its origin. */
const REFERRER_BYTES_MAX = 2 * 1_024

const SCHEMAS = Object.entries(READINGS) as [ReadingName, z.ZodType][]
const MISSING: Fact<never> = { ok: false, why: 'missing' }

export type ParsedBody = Pick<
  Received,
  'sessionId' | 'cookieId' | 'userHid' | 'landing' | 'readings' | 'followUp' | 'body'
>

/**
 * Parses a plain JSON body. Fields and readings that do not match the published schema count as missing, and so do those
 * that are too large to be kept.
 * @throws AppError for text that is not a JSON object, for deep nesting and for an account ID that is too long
 */
export const parseBody = (text: string): ParsedBody => readBody(parseObject(text))

/** The same, and as they were sent the request ID that the body names and the join key of its page. */
export function parseSentBody(text: string): { parsed: ParsedBody; namedId: unknown; join: unknown } {
  const body = parseObject(text)
  return { parsed: readBody(body), namedId: body.request_id, join: body.join }
}

function readBody(body: Record<string, unknown>): ParsedBody {
  const userHid = userHidOf(body.user_hid)
  const landing = landingOf(body.landing)
  const head = JSON.stringify({
    version: typeof body.version === 'number' ? body.version : undefined,
    agent_version: shortText(body.agent_version),
    session_id: shortText(body.session_id),
    cookie_id: shortText(body.cookie_id),
    user_hid: typeof body.user_hid === 'string' ? userHid : undefined,
    landing,
    follow_up: typeof body.follow_up === 'boolean' ? body.follow_up : undefined,
    duration_ms: typeof body.duration_ms === 'number' ? body.duration_ms : undefined,
  })
  const { readings, kept } = parseReadings(body.readings, KEPT_BYTES_MAX - Buffer.byteLength(head))
  return {
    sessionId: uuidOrNil(textOrUndefined(body.session_id)),
    cookieId: uuidOrNil(textOrUndefined(body.cookie_id)),
    userHid,
    landing: { url: landing?.url ?? '', referrer: landing?.referrer ?? '' },
    readings,
    followUp: body.follow_up === true,
    body: `${head.slice(0, -1)}${head === '{}' ? '' : ','}"readings":${kept}}`,
  }
}

/** Adds late readings (JSON text). They fill gaps and replace only the readings that accumulate. */
export function withLateReadings<Visit extends Pick<Received, 'readings' | 'body'>>(
  visit: Visit,
  late: string,
): Visit & Pick<Received, 'late'> {
  const { readings, body } = visit
  const { readings: added, kept } = parseReadings(parseObject(late), KEPT_BYTES_MAX - Buffer.byteLength(body))
  const all = SCHEMAS.map(([name]) => {
    const [first, later] = [readings[name], added[name]]
    const replaced = first.ok
      ? GROWING_READINGS.includes(name) && later.ok
      : // An error stays an error: that a reading is not sent again does not mean that it never was.
        later.ok || later.why !== 'missing'
    return [name, replaced ? later : first]
  })
  return { ...visit, readings: Object.fromEntries(all) as Readings, late: kept }
}

/** All readings missing, as for a visitor without JavaScript. */
export const noReadings = (): Readings => parseReadings(undefined, 0).readings

function parseObject(text: string): Record<string, unknown> {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch (cause) {
    throw new AppError('INK_INVALID_BODY', undefined, { cause })
  }
  if (!isObject(body)) throw new AppError('INK_INVALID_BODY', 'body must be a JSON object')
  if (isDeeperThan(body, LEVELS_MAX)) throw new AppError('INK_INVALID_BODY', 'body is nested too deep')
  return body
}

/**
 * The readings, and the JSON of them that is kept. What is not kept counts as missing, so that a visit is scored again
 * as it was scored first.
 */
function parseReadings(sent: unknown, bytesMax: number): { readings: Readings; kept: string } {
  const given = isObject(sent) ? sent : {}
  const readings: Partial<Record<ReadingName, Fact<unknown>>> = {}
  const reported: Reported = {}
  for (const [name, schema] of SCHEMAS) {
    const fact = factOf(given[name], schema)
    readings[name] = fact
    if (fact !== MISSING) reported[name] = fact.ok ? { value: fact.value } : { error: fact.why }
  }
  // One text of all is much cheaper than one of each.
  const all = JSON.stringify(reported)
  if (Buffer.byteLength(all) <= bytesMax) return { readings: readings as Readings, kept: all }
  for (const name of withoutRoom(reported, bytesMax)) {
    readings[name] = MISSING
    delete reported[name]
  }
  return { readings: readings as Readings, kept: JSON.stringify(reported) }
}

type Reported = Partial<Record<ReadingName, object>>

/** The readings that do not fit. The others have their place in their order, the most important first. */
function withoutRoom(reported: Reported, bytesMax: number): ReadingName[] {
  // The braces.
  let left = bytesMax - 2
  return SCHEMAS.flatMap(([name]) => {
    if (reported[name] === undefined) return []
    const bytes = Buffer.byteLength(`"${name}":${JSON.stringify(reported[name])},`)
    if (bytes > READING_BYTES_MAX || bytes > left) return [name]
    left -= bytes
    return []
  })
}

function factOf(reading: unknown, schema: z.ZodType): Fact<unknown> {
  if (!isObject(reading)) return MISSING
  // A refusal takes longer than ten values, and no reading may lack its value.
  const value = reading.value === undefined ? undefined : schema.safeParse(reading.value)
  if (value?.success) return { ok: true, value: value.data }
  const error = ReadingError.safeParse(reading.error)
  return error.success ? { ok: false, why: error.data } : MISSING
}

function landingOf(sent: unknown): { url: string; referrer: string } | undefined {
  if (!isObject(sent)) return undefined
  return {
    url: within(textOrUndefined(sent.url) ?? '', URL_BYTES_MAX),
    referrer: within(textOrUndefined(sent.referrer) ?? '', REFERRER_BYTES_MAX),
  }
}

/** The start of a text that takes at most so many bytes as JSON. */
function within(text: string, bytesMax: number): string {
  let start = text
  // No character takes more than six.
  while (start.length * 6 > bytesMax) {
    const bytes = Buffer.byteLength(JSON.stringify(start))
    if (bytes <= bytesMax) break
    start = start.slice(0, Math.floor((start.length * bytesMax) / bytes)).toWellFormed()
  }
  return start
}

/** Agents send a version or a UUID here. */
const shortText = (sent: unknown): string | undefined =>
  typeof sent === 'string' && sent.length <= 64 ? sent : undefined

function userHidOf(sent: unknown): string {
  if (typeof sent !== 'string') return NO_USER_HID
  // Truncating it could join two accounts.
  if (sent.length > USER_HID_LENGTH_MAX)
    throw new AppError('INK_INVALID_FIELD', `user_hid is longer than ${USER_HID_LENGTH_MAX} characters`)
  if (Buffer.byteLength(sent) > USER_HID_BYTES_MAX)
    throw new AppError('INK_INVALID_FIELD', `user_hid is longer than ${USER_HID_BYTES_MAX} bytes`)
  // A lone surrogate can neither be stored nor searched.
  return sent.toWellFormed()
}

const textOrUndefined = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
