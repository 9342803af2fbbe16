/** Numbers of any size in as few bytes as they need, seven bits to a byte (LEB128). */
export interface ByteWriter {
  byte(value: number): void
  number(value: number): void
  bytes(): Uint8Array
}

const FIRST_SIZE = 128

export function byteWriter(): ByteWriter {
  let buffer = new Uint8Array(FIRST_SIZE)
  let length = 0

  function byte(value: number): void {
    if (length === buffer.length) {
      const larger = new Uint8Array(buffer.length * 2)
      larger.set(buffer)
      buffer = larger
    }
    buffer[length] = value
    length += 1
  }

  return {
    byte,
    number(value) {
      let rest = value
      while (rest > 127) {
        byte((rest % 128) + 128)
        rest = Math.floor(rest / 128)
      }
      byte(rest)
    },
    bytes: () => buffer.slice(0, length),
  }
}

export interface ByteReader {
  byte(): number
  number(): number
}

/** @throws RangeError where the bytes end too early */
export function byteReader(bytes: Uint8Array): ByteReader {
  let offset = 0

  function byte(): number {
    const value = bytes[offset]
    if (value === undefined) throw new RangeError('the bytes of a velocity state end too early')
    offset += 1
    return value
  }

  return {
    byte,
    number() {
      let value = 0
      let factor = 1
      for (;;) {
        const next = byte()
        value += (next % 128) * factor
        if (next < 128) return value
        factor *= 128
      }
    },
  }
}
