/**
 * A 53-bit hash, which JavaScript and both databases store exactly. It finds what may be equal and protects nothing:
 * an attacker who can choose the text can also copy the facts in it. Results are stored and compared for years, so
 * they must never change. The multipliers are from the search for low-bias integer hashes at
 * https://github.com/skeeto/hash-prospector (the finaliser is from its issue 19).
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
