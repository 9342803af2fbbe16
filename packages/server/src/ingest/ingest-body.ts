import { createDecipheriv, createECDH, hkdfSync } from 'node:crypto'
import { ENCRYPTED_BODY, READINGS, ReadingError, type ReadingName } from '@inkling/contract'
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

const SCHEMAS = Object.entries(READINGS) as [ReadingName, z.ZodType][]
const MISSING: Fact<never> = { ok: false, why: 'missing' }

export type ParsedBody = Pick<
  Received,
  'sessionId' | 'cookieId' | 'userHid' | 'landing' | 'readings' | 'followUp'
>

/**
 * Parses a plain JSON body. Fields and readings that do not match the published schema count as missing.
 * @throws AppError for text that is not a JSON object, for deep nesting and for an account ID that is too long
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

/** Readings that accumulate during the visit, so that a later one replaces an earlier one. */
const GROWING: readonly ReadingName[] = ['input']

/** Adds late readings (JSON text). They fill gaps and replace only the readings that accumulate. */
export function withLateReadings(readings: Readings, late: string): Readings {
  const added = parseReadings(parseObject(late))
  return Object.fromEntries(
    SCHEMAS.map(([name]) => {
      const renewed = GROWING.includes(name) && added[name].ok
      return [name, readings[name].ok && !renewed ? readings[name] : added[name]]
    }),
  ) as Readings
}

/** All readings missing, as for a visitor without JavaScript. */
export const noReadings = (): Readings => parseReadings(undefined)

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
