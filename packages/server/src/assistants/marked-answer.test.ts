import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { HIDDEN, HOSTILE_TEXTS } from '../../test/hostile-texts.ts'
import { markedAnswer, markedError } from './marked-answer.ts'

const SCHEMA = z.object({
  band: z.enum(['trusted', 'dangerous']),
  id: z.string(),
  at: z.string(),
  account: z.string(),
  fields: z.record(z.string(), z.unknown()),
})

const answered = (account: string, fields: object = {}) => {
  const id = '6f1c5a70-3c0f-4b8e-9a43-0d5c2b8f7e11'
  const at = '2026-11-23T10:00:00.000Z'
  const { text } = markedAnswer({ band: 'trusted', id, at, account, fields }, SCHEMA)
  expect(text).not.toMatch(HIDDEN)
  return JSON.parse(text).answer
}

/** Every code point, halves of pairs as well. */
const ANY_CHARACTERS = fc
  .array(fc.integer({ min: 0, max: 0x10ffff }), { maxLength: 400 })
  .map((points) => String.fromCodePoint(...points))

test('words of the schema, UUIDs and times are plain, and every other text is marked', () => {
  expect(answered('ann', { plan: 'free', count: 3 })).toEqual({
    band: 'trusted',
    id: '6f1c5a70-3c0f-4b8e-9a43-0d5c2b8f7e11',
    at: '2026-11-23T10:00:00.000Z',
    account: { untrusted_text: 'ann' },
    fields: {
      other_fields: [
        { name: { untrusted_text: 'plan' }, value: { untrusted_text: 'free' } },
        { name: { untrusted_text: 'count' }, value: 3 },
      ],
    },
  })
})

test('no text leaves its marker, as a value or as a name, and none hides', () => {
  fc.assert(
    fc.property(fc.oneof(fc.constantFrom(...HOSTILE_TEXTS), ANY_CHARACTERS), (hostile) => {
      fc.pre(!['trusted', 'dangerous', 'band', 'id', 'at', 'account', 'fields'].includes(hostile))
      const { account, fields, ...rest } = answered(hostile, Object.fromEntries([[hostile, hostile]]))
      expect(Object.keys(rest)).toEqual(['band', 'id', 'at'])
      expect(account).toEqual({ untrusted_text: expect.any(String) })
      expect(account.untrusted_text.length).toBeLessThan(3_500)
      expect(fields).toEqual({ other_fields: [{ name: account, value: account }] })
      expect(markedError('INK_NOT_FOUND', hostile)).not.toMatch(HIDDEN)
    }),
    { numRuns: 300, seed: 7 },
  )
})

test('long lists are cut and say so, and an answer that is too long is an error', () => {
  const cut = JSON.parse(markedAnswer({ account: Array.from({ length: 60 }, () => 1) }, SCHEMA).text)
  expect(cut.answer.account.at(-1)).toEqual({ left_out: 10 })
  const rows = Array.from({ length: 50 }, () => Array.from({ length: 50 }, () => 'x'.repeat(300)))
  expect(markedAnswer({ account: rows }, SCHEMA).ok).toBe(false)
})
