import { NIL_UUID } from '@inkling/contract'
import { describe, expect, test } from 'vitest'
import { parseBody } from './parse-body.ts'

describe('ingest body', () => {
  test('an empty object is a body in which everything is missing', () => {
    const body = parseBody('{}')
    expect(body).toMatchObject({ sessionId: NIL_UUID, cookieId: NIL_UUID, userHid: 'fail' })
    expect(body.landing).toEqual({ url: '', referrer: '' })
    expect(body.readings.timezone).toEqual({ ok: false, why: 'missing' })
  })

  test('text that is no JSON object is refused', () => {
    for (const text of ['', '{', '[]', 'null', '"a"', '7'])
      expect(() => parseBody(text)).toThrowError(expect.objectContaining({ code: 'invalid_request' }))
  })

  test('an explicit empty account identifier is kept, a missing one is "fail"', () => {
    expect(parseBody('{"user_hid":""}').userHid).toBe('')
    expect(parseBody('{"user_hid":null}').userHid).toBe('fail')
  })

  test('an account identifier that no index can hold is refused', () => {
    expect(parseBody(JSON.stringify({ user_hid: '界'.repeat(600) })).userHid).toHaveLength(600)
    for (const user_hid of ['a'.repeat(1_025), '界'.repeat(700)])
      expect(() => parseBody(JSON.stringify({ user_hid }))).toThrowError(
        expect.objectContaining({ code: 'invalid_request' }),
      )
  })

  test('a reading tells its value, or why there is none, and another form counts as missing', () => {
    const { readings } = parseBody(
      JSON.stringify({
        readings: {
          timezone: { value: { name: 'Europe/Berlin', offset_minutes: 60 } },
          audio: { error: 'timeout' },
          platform: { value: 7 },
          math: { error: 'no such reason' },
          from_the_future: { value: 1 },
        },
      }),
    )
    expect(readings.timezone).toEqual({ ok: true, value: { name: 'Europe/Berlin', offset_minutes: 60 } })
    expect(readings.audio).toEqual({ ok: false, why: 'timeout' })
    expect(readings.platform).toEqual({ ok: false, why: 'missing' })
    expect(readings.math).toEqual({ ok: false, why: 'missing' })
    expect(readings).not.toHaveProperty('from_the_future')
  })

  test('a body cannot reach into the prototype of what is parsed', () => {
    const { readings } = parseBody(
      '{"__proto__":{"user_hid":"x"},"readings":{"__proto__":{"math":{"value":"1"}}}}',
    )
    expect(readings.math).toEqual({ ok: false, why: 'missing' })
  })
})
