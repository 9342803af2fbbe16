import { expect, test } from 'vitest'
import { hash, hashText } from './hash.ts'

test('never changes, because stored readings are compared with new ones', () => {
  expect(['', 'Inkling', '\u{1f600}', 'x'.repeat(10_000)].map(hashText)).toMatchInlineSnapshot(`
    [
      "8bcee6a045ab498f",
      "cc47d2a1b82fd9e4",
      "527ecdc8b2cf9962",
      "1de89e518d029b46",
    ]
  `)
  expect(hash(Uint32Array.of(0, 1, 0xffffffff))).toMatchInlineSnapshot(`"66d1eb0479c042be"`)
})

test('depends on every bit, the order and the length', () => {
  const inputs = Array.from({ length: 64 }, (_, bit) => {
    const words = new Uint32Array(1_000)
    words[bit * 15] = 1 << (bit % 32)
    return hash(words)
  })
  const others = [hash(new Uint32Array(1_000)), hash(new Uint32Array(1_001)), hashText('ab'), hashText('ba')]
  expect(new Set([...inputs, ...others]).size).toBe(inputs.length + others.length)
})
