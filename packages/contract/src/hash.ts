/**
 * 64 bits as 16 hex digits, to tell values apart; not for anything that needs a secret. Two lanes of 32 bits, because
 * 64-bit integers are slow in every engine and a drawing has 11,000 words. Results are stored and compared for years,
 * so they must never change.
 *
 * The arrangement is our own, made of tested constants: the multipliers are those of `prospector32`
 * (https://github.com/skeeto/hash-prospector); the lanes start from the upper half of xorshift64*'s multiplier
 * (https://vigna.di.unimi.it/ftp/papers/xorshift.pdf) and from MurmurHash2's
 * (https://github.com/aappleby/smhasher/blob/master/src/MurmurHash2.cpp).
 */
export function hash(words: ArrayLike<number>): string {
  let left = 0x2545f491 ^ words.length
  let right = 0x5bd1e995
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? 0
    left = Math.imul(left ^ word, 0x2c1b3c6d)
    left ^= left >>> 15
    right = Math.imul(right ^ word, 0x297a2d39)
    right = ((right << 13) | (right >>> 19)) + left
  }
  return hex(scatter(left ^ right)) + hex(scatter(right + Math.imul(left, 3)))
}

export function hashText(text: string): string {
  return hash(Uint16Array.from(text, (_, index) => text.charCodeAt(index)))
}

/** The digest of a body's proof. By four bytes at a time, padded, because each body is read for it. */
export function digestOf(text: string): string {
  const { buffer, length } = new TextEncoder().encode(`${text}   `)
  return hash(new Uint32Array(buffer, 0, length >> 2))
}

/**
 * Spreads every input bit over all output bits. A finaliser in the form of MurmurHash3's, with multipliers from the
 * search at https://github.com/skeeto/hash-prospector/issues/19
 */
function scatter(word: number): number {
  let mixed = Math.imul(word ^ (word >>> 16), 0x21f0aaad)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
  return mixed ^ (mixed >>> 15)
}

const hex = (word: number): string => (word >>> 0).toString(16).padStart(8, '0')
