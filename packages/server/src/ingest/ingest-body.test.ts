import { createCipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto'
import { NIL_UUID } from '@inkling/contract'
import { describe, expect, test } from 'vitest'
import { createBodyDecoder, parseBody, withLateReadings } from './ingest-body.ts'

const REQUEST_ID = '0b5a3f0c-8d8e-4f55-9d49-7a51f3c0f0aa'

/** The agent's half, written from the published layout and sharing no code with the decoder. */
function encrypt(serverKey: Buffer, plaintext: string, requestId: string): Buffer {
  const ephemeral = createECDH('prime256v1')
  const point = ephemeral.generateKeys()
  const nonce = randomBytes(12)
  const key = hkdfSync('sha256', ephemeral.computeSecret(serverKey), point, 'inkling ingest v1', 32)
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(key), nonce)
  cipher.setAAD(Buffer.from(requestId))
  const text = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return Buffer.concat([Buffer.from([1]), point, nonce, text])
}

describe('decoding', () => {
  const decoder = createBodyDecoder(randomBytes(32))

  test('plain JSON passes unchanged', () => {
    expect(decoder.decode(Buffer.from('{"a":"≠"}'), REQUEST_ID)).toBe('{"a":"≠"}')
  })

  test('an encrypted body opens under its request ID, in upper or lower case', () => {
    const body = encrypt(decoder.publicKey, '{"a":1}', REQUEST_ID)
    expect(decoder.decode(body, REQUEST_ID)).toBe('{"a":1}')
    expect(decoder.decode(body, REQUEST_ID.toUpperCase())).toBe('{"a":1}')
  })

  test('it does not open under another request ID, so a captured one cannot be sent again', () => {
    const body = encrypt(decoder.publicKey, '{"a":1}', REQUEST_ID)
    expect(() => decoder.decode(body, REQUEST_ID.replace('0b', '1b'))).toThrow('body could not be decrypted')
  })

  test('a truncated, changed or random body is refused', () => {
    const body = encrypt(decoder.publicKey, '{"a":1}', REQUEST_ID)
    const changed = Buffer.from(body)
    changed.writeUInt8(changed.readUInt8(80) ^ 1, 80)
    for (const bad of [changed, body.subarray(0, 90), Buffer.from([1]), Buffer.alloc(200, 1)])
      expect(() => decoder.decode(bad, REQUEST_ID)).toThrow('body could not be decrypted')
  })
})

describe('parsing', () => {
  test('an empty object is a body in which everything is missing', () => {
    const body = parseBody('{}')
    expect(body).toMatchObject({ sessionId: NIL_UUID, cookieId: NIL_UUID, userHid: 'fail' })
    expect(body.landing).toEqual({ url: '', referrer: '' })
    expect(body.readings.timezone).toEqual({ ok: false, why: 'missing' })
  })

  test('what is kept is parsed again to the same', () => {
    const bodies = [
      {},
      { from_the_future: 1 },
      { version: 1, session_id: 'x', user_hid: 'a"b\u0001', follow_up: true, duration_ms: 12.5 },
      { landing: { url: 'https://shop.example/?ü' }, readings: { timezone: { error: 'timeout' } } },
      { readings: { user_agent: { value: 'Mozilla/5.0 \ud800', more: 1 }, typefaces: { value: ['Arial'] } } },
    ]
    for (const sent of bodies) {
      const parsed = parseBody(JSON.stringify(sent))
      expect(parsed.body).not.toContain('future')
      expect(parseBody(parsed.body)).toEqual(parsed)
    }
  })

  test('a body that is too large loses its largest readings first, then the least important', () => {
    const names = (count: number) => ({ value: Array(count).fill('n'.repeat(99)) })
    const readings = {
      typefaces: names(30),
      missing_apis: names(100),
      tampering: names(30),
      codecs: names(30),
      media_devices: names(30),
      user_agent: { value: 'u'.repeat(2_000) },
      rounding: { value: 'r'.repeat(2_000) },
    }
    const parsed = parseBody(JSON.stringify({ readings }))
    expect(Buffer.byteLength(parsed.body)).toBeLessThan(16 * 1_024)
    const kept = Object.entries(parsed.readings).flatMap(([name, fact]) => (fact.ok ? [name] : []))
    expect(kept).toEqual(['user_agent', 'typefaces', 'tampering', 'rounding', 'codecs'])
    expect(parseBody(parsed.body)).toEqual(parsed)
  })

  test('an early error stays one when the late readings do not name it, and gives way when they do', () => {
    const early = parseBody(
      '{"readings":{"connection":{"error":"unsupported"},"codecs":{"error":"timeout"}}}',
    )
    const { readings } = withLateReadings(early, '{"codecs":{"value":["audio/flac"]}}')
    expect(readings.connection).toEqual({ ok: false, why: 'unsupported' })
    expect(readings.codecs).toEqual({ ok: true, value: ['audio/flac'] })
  })

  test('late readings have the room that the body left, and are read again to the same', () => {
    const body = parseBody(JSON.stringify({ landing: { url: `https://shop.example/${'x'.repeat(9_000)}` } }))
    const late = JSON.stringify({
      typefaces: { value: ['Arial'] },
      rounding: { value: 'r' },
      unknown: { value: 1 },
    })
    const visit = withLateReadings(body, late)
    expect(visit.late).toBe('{"typefaces":{"value":["Arial"]},"rounding":{"value":"r"}}')
    expect(withLateReadings(body, visit.late ?? '')).toEqual(visit)
    expect(visit.landing.url).toHaveLength(6_142)
  })

  test('what became of honeytokens grows, and no text in place of a count is kept', () => {
    const counts = { placed: 1, filled: 0, typed: 0, followed: 0, unattended: 0 }
    const body = parseBody(JSON.stringify({ readings: { honeytokens: { value: { placed: 1 } } } }))
    expect(body.readings.honeytokens).toEqual({ ok: true, value: counts })
    const followed = { ...counts, followed: 1, text: 'Wvqxzkj' }
    const visit = withLateReadings(body, JSON.stringify({ honeytokens: { value: followed } }))
    expect(visit.readings.honeytokens).toEqual({ ok: true, value: { ...counts, followed: 1 } })
    expect(visit.late).not.toContain('Wvqxzkj')
    const kept = withLateReadings(parseBody(body.body), visit.late ?? '')
    expect(kept.readings).toEqual(visit.readings)
  })

  test('text that is not a JSON object is refused', () => {
    for (const text of ['', '{', '[]', 'null', '"a"', '7'])
      expect(() => parseBody(text)).toThrowError(expect.objectContaining({ code: 'INK_INVALID_BODY' }))
  })

  test('an explicit empty account identifier is kept, a missing one is "fail"', () => {
    expect(parseBody('{"user_hid":""}').userHid).toBe('')
    expect(parseBody('{"user_hid":null}').userHid).toBe('fail')
  })

  test('an account identifier that is too long for the index is refused', () => {
    expect(parseBody(JSON.stringify({ user_hid: '界'.repeat(600) })).userHid).toHaveLength(600)
    for (const user_hid of ['a'.repeat(1_025), '界'.repeat(700)])
      expect(() => parseBody(JSON.stringify({ user_hid }))).toThrowError(
        expect.objectContaining({ code: 'INK_INVALID_FIELD' }),
      )
  })

  test('a reading has a value or a reason why there is none; any other form counts as missing', () => {
    const { readings } = parseBody(
      JSON.stringify({
        readings: {
          timezone: { value: { name: 'Europe/Berlin', offset_minutes: 60 } },
          waveform: { error: 'timeout' },
          platform: { value: 7 },
          rounding: { error: 'no such reason' },
          from_the_future: { value: 1 },
        },
      }),
    )
    expect(readings.timezone).toEqual({ ok: true, value: { name: 'Europe/Berlin', offset_minutes: 60 } })
    expect(readings.waveform).toEqual({ ok: false, why: 'timeout' })
    expect(readings.platform).toEqual({ ok: false, why: 'missing' })
    expect(readings.rounding).toEqual({ ok: false, why: 'missing' })
    expect(readings).not.toHaveProperty('from_the_future')
  })

  test('a body cannot reach into the prototype of what is parsed', () => {
    const { readings } = parseBody(
      '{"__proto__":{"user_hid":"x"},"readings":{"__proto__":{"rounding":{"value":"1"}}}}',
    )
    expect(readings.rounding).toEqual({ ok: false, why: 'missing' })
  })
})
