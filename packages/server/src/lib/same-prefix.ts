import type { ParsedAddress } from './parse-address.ts'

/** Whether two addresses share their first bits; addresses of two families never do. */
export function samePrefix(a: ParsedAddress, b: ParsedAddress, bits: number): boolean {
  const left = wordsOf(a)
  const right = wordsOf(b)
  if (left.length !== right.length) return false
  return left.every((word, index) => {
    const kept = Math.min(32, Math.max(0, bits - index * 32))
    // A shift by 32 would shift by none.
    return kept === 0 || (word ^ (right[index] ?? 0)) >>> (32 - kept) === 0
  })
}

const wordsOf = (address: ParsedAddress): readonly number[] =>
  address.family === 4 ? [address.value] : address.words
