/** Numbers of any size in as few bytes as they need, seven bits to a byte (LEB128). */
export interface ByteWriter {
  byte(value: number): void
  number(value: number): void
  /** In six bytes. */
  hash(value: number): void
  bytes(): Uint8Array
  /** Forgets what was written. */
  clear(): void
}

const FIRST_SIZE = 256
const INT_MAX = 0x7fffffff
/** No number needs more. */
const BYTES_MAX = 8

export function byteWriter(): ByteWriter {
  let buffer = Buffer.allocUnsafe(FIRST_SIZE)
  let length = 0

  function makeRoom(): void {
    if (length + BYTES_MAX <= buffer.length) return
    const larger = Buffer.allocUnsafe(buffer.length * 2)
    larger.set(buffer)
    buffer = larger
  }

  return {
    byte(value) {
      makeRoom()
      buffer[length++] = value
    },
    number(value) {
      makeRoom()
      let rest = value
      // Bits are faster than division, and number 32 of them at most.
      for (; rest > INT_MAX; rest = Math.floor(rest / 128)) buffer[length++] = (rest % 128) + 128
      for (; rest > 127; rest >>= 7) buffer[length++] = (rest & 127) | 128
      buffer[length++] = rest
    },
    hash(value) {
      makeRoom()
      buffer.writeUInt16BE(Math.floor(value / 2 ** 32), length)
      buffer.writeUInt32BE(value % 2 ** 32, length + 2)
      length += 6
    },
    bytes: () => Uint8Array.prototype.slice.call(buffer, 0, length),
    clear() {
      length = 0
    },
  }
}

export interface ByteReader {
  byte(): number
  number(): number
  hash(): number
}

/** @throws RangeError where the bytes end too early */
export function byteReader(bytes: Uint8Array): ByteReader {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let offset = 0

  function byte(): number {
    const value = buffer[offset++]
    if (value === undefined) throw new RangeError('the bytes of a velocity state end too early')
    return value
  }

  return {
    byte,
    number() {
      let next = byte()
      if (next < 128) return next
      let value = next & 127
      let factor = 128
      while (next > 127) {
        next = byte()
        value += (next & 127) * factor
        factor *= 128
      }
      return value
    },
    hash() {
      offset += 6
      return buffer.readUInt16BE(offset - 6) * 2 ** 32 + buffer.readUInt32BE(offset - 4)
    },
  }
}
