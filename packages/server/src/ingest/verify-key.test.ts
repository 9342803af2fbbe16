import { expect, test } from 'vitest'
import { verifyKey } from './verify-key.ts'

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }

/** What a browser with a new key sends for a text. */
async function signed(text: string) {
  const { privateKey, publicKey } = await crypto.subtle.generateKey(ALGORITHM, false, ['sign'])
  const point = Buffer.from(await crypto.subtle.exportKey('raw', publicKey))
  const bytes = await crypto.subtle.sign(ALGORITHM, privateKey, Buffer.from(text))
  return {
    key: Buffer.from([2 + ((point[64] ?? 0) & 1), ...point.subarray(1, 33)]).toString('base64'),
    signature: Buffer.from(bytes).toString('base64'),
  }
}

test('a signature proves its key for its own text alone, and a key always has the same ID', async () => {
  const [one, other] = [await signed('text'), await signed('text')]
  const proven = verifyKey(one, 'text')
  expect(proven).toEqual({ state: 'proven', id: expect.stringMatching(/^[0-9a-f]{32}$/) })
  expect(verifyKey(one, 'text')).toEqual(proven)
  expect(verifyKey(other, 'text').id).not.toBe(proven.id)
  expect(verifyKey(one, 'text ')).toEqual({ state: 'invalid' })
  expect(verifyKey({ ...one, signature: other.signature }, 'text')).toEqual({ state: 'invalid' })
})

test('what is no key of the curve, or no signature, is invalid and does no harm', async () => {
  const { key, signature } = await signed('text')
  // There is no point with this coordinate; 0 and 4 start other forms; the rest is no text of the length.
  const noPoint = Buffer.from([2, ...Array<number>(32).fill(255)]).toString('base64')
  const otherForms = [0, 4, 255].map((start) =>
    Buffer.from([start, ...Array<number>(32).fill(1)]).toString('base64'),
  )
  for (const wrong of [
    noPoint,
    ...otherForms,
    '',
    '*'.repeat(44),
    `${key}AA`,
    'A'.repeat(9_999),
    7,
    {},
    [key],
  ])
    expect(verifyKey({ key: wrong, signature }, 'text')).toEqual({ state: 'invalid' })
  for (const wrong of [null, '', '*'.repeat(86), 'A'.repeat(86), `${key}${key}`, 7, {}])
    expect(verifyKey({ key, signature: wrong }, 'text')).toEqual({ state: 'invalid' })
})

test('no key and a browser that can keep none are told apart, and neither is a forgery', async () => {
  const { key } = await signed('text')
  expect(verifyKey({}, 'text')).toEqual({ state: 'none' })
  expect(verifyKey({ key }, 'text')).toEqual({ state: 'none' })
  expect(verifyKey({ key: null }, 'text')).toEqual({ state: 'unsupported' })
})
