/**
 * 53 bits of a text, as a number that every engine stores exactly. For finding what may be the same, never
 * for a secret: whoever can choose the text can also copy the facts that it is made of.
 * The result is stored and compared for years, so it must never change.
 */
export function hash53(text: string): number {
  let left = 0x2545f491
  let right = 0x5bd1e995
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    left = Math.imul(left ^ code, 0x2c1b3c6d)
    right = Math.imul(right ^ code, 0x297a2d39)
    left ^= left >>> 15
    right = (right << 13) | (right >>> 19)
  }
  left = scatter(left ^ (right >>> 3))
  right = scatter(right ^ left)
  return (left >>> 11) * 2 ** 32 + (right >>> 0)
}

function scatter(word: number): number {
  let mixed = Math.imul(word ^ (word >>> 16), 0x21f0aaad)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
  return mixed ^ (mixed >>> 15)
}
