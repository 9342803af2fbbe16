import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { zstdCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { packText, unpackText } from './packed-text.ts'

const BODIES = new URL('../../../../../bench/bodies/', import.meta.url)
const bodies = readdirSync(BODIES).map((file) =>
  JSON.stringify(JSON.parse(readFileSync(new URL(file, BODIES), 'utf8'))),
)
const texts = [
  ...bodies,
  '{}',
  '',
  '{"name":"\u0000é\u{1f600}"}',
  JSON.stringify({ long: 'aé'.repeat(500_000) }),
]

test('every text comes back byte for byte', () => {
  for (const text of texts) expect(unpackText(packText(text)).equals(Buffer.from(text))).toBe(true)
})

test('what earlier releases stored stays readable: plain JSON, and zstd without a dictionary', () => {
  for (const text of texts.filter((text) => text.startsWith('{'))) {
    expect(unpackText(Buffer.from(text)).toString()).toBe(text)
    expect(unpackText(zstdCompressSync(text)).toString()).toBe(text)
  }
})

test('a text that the first dictionary packed stays readable', () => {
  const packed = Buffer.from('ASi1L/0gXf0AAGBwbGFuIjoiw6kifX0FQADdfHpmqYPArg4Er5wIcg4=', 'base64')
  expect(unpackText(packed).toString()).toBe(PACKED_TEXT)
})

test('no dictionary ever changes, because databases hold texts that need it', () => {
  const bytes = readFileSync(new URL('./dictionary-1.txt', import.meta.url))
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(
    'a4741088def62d300eb1f7d790ba033abc4c3ebcd8b91440bee8d9767d3a33d8',
  )
})

test('a text of a later release is refused by the number of its dictionary', () => {
  const later = packText('{}').with(0, 2)
  expect(() => unpackText(later)).toThrow('needs dictionary 2')
})

test('a body of a browser takes less than a fifth of what zstd alone makes of it', () => {
  for (const body of bodies) expect(packText(body).length).toBeLessThan(zstdCompressSync(body).length / 5)
})

const PACKED_TEXT =
  '{"version":1,"readings":{"automation":{"value":{"webdriver":true,"markers":[]}},"plan":"é"}}'
