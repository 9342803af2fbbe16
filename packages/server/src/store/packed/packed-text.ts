import { readFileSync } from 'node:fs'
import { constants, createZstdCompress, zstdCompressSync, zstdDecompressSync } from 'node:zlib'

/*
 * Texts that are much alike, such as the bodies of visits and events, compressed with a dictionary of what they have in
 * common. The first byte says how a text is stored, and every way that was ever used stays readable: a dictionary's
 * file never changes, a better one gets the next number.
 *
 * `{`: JSON as it is, of earlier releases. 0x28: zstd without a dictionary, of earlier releases, which begins with this
 * byte (RFC 8878, section 3.1.1). 1 to 0x27: number of the dictionary; the rest is zstd.
 */

/** By number. `scripts/train-dictionary.ts` writes them. */
const DICTIONARIES = new Map([[1, readFileSync(new URL('./dictionary-1.txt', import.meta.url))]])
const CURRENT = 1
const CURRENT_DICTIONARY = DICTIONARIES.get(CURRENT)

const JSON_START = 0x7b
const ZSTD_START = 0x28

const TEXT_CHUNK_BYTES = 8_192
/** With the dictionary, higher levels take longer and save nothing. */
const LEVEL = 1
const OPTIONS = {
  dictionary: CURRENT_DICTIONARY,
  // Four bytes by which a text that meets another dictionary is refused rather than misread.
  params: { [constants.ZSTD_c_compressionLevel]: LEVEL, [constants.ZSTD_c_checksumFlag]: 1 },
}

/** Of a text that the kept compressor takes. A snapshot is smaller. */
const KEPT_TEXT_BYTES_MAX = 32_768
/** More than such a text can take, see `ZSTD_COMPRESSBOUND` in https://github.com/facebook/zstd/blob/dev/lib/zstd.h. */
const KEPT_PACKED_BYTES_MAX = 36_864

/** Synchronous, because a round trip to the thread pool would take longer than the compression. */
export function packText(text: string | Uint8Array): Uint8Array {
  const bytes = Buffer.from(text)
  const packed = bytes.length > KEPT_TEXT_BYTES_MAX ? undefined : packSmall(bytes)
  return packed ?? withNumber(zstdCompressSync(bytes, OPTIONS))
}

function withNumber(frame: Uint8Array): Uint8Array {
  const packed = new Uint8Array(frame.length + 1)
  packed[0] = CURRENT
  packed.set(frame, 1)
  return packed
}

type PackSmall = (bytes: Uint8Array) => Uint8Array | undefined

/** Made by the first text, because most threads pack none. */
let packSmall: PackSmall = (bytes) => {
  packSmall = keptCompressor()
  return packSmall(bytes)
}

/** What `node:zlib` calls its own synchronous functions by. */
interface Internals {
  _handle: {
    writeSync(
      flush: number,
      input: Uint8Array,
      inputOffset: number,
      inputLength: number,
      output: Uint8Array,
      outputOffset: number,
      outputLength: number,
    ): void
  }
  /** Bytes left of the output and of the input after a call. */
  _writeState: Uint32Array
}

/**
 * Compresses each text as a frame of its own. Node's public functions make a compressor for each text, and preparing its
 * dictionary takes five times as long as packing a snapshot. Undefined where this Node has other internals.
 */
function keptCompressor(): PackSmall {
  const stream = createZstdCompress(OPTIONS)
  const { _handle: handle, _writeState: state } = stream as unknown as Partial<Internals>
  if (!handle?.writeSync || !state) return () => undefined
  // It is destroyed then, and the public function takes over.
  stream.on('error', () => {})
  const output = new Uint8Array(KEPT_PACKED_BYTES_MAX)
  output[0] = CURRENT
  return (bytes) => {
    if (stream.destroyed) return undefined
    handle.writeSync(constants.ZSTD_e_end, bytes, 0, bytes.length, output, 1, output.length - 1)
    const [outputLeft = 0, inputLeft] = state
    return outputLeft > 0 && inputLeft === 0 ? output.slice(0, output.length - outputLeft) : undefined
  }
}

/** @throws when the dictionary is of a later release */
export function unpackText(packed: Uint8Array): Buffer {
  const [way] = packed
  if (way === undefined || way === JSON_START) return Buffer.from(packed)
  if (way === ZSTD_START) return zstdDecompressSync(packed)
  const dictionary = DICTIONARIES.get(way)
  if (!dictionary) throw new Error(`a stored text needs dictionary ${way}, which this release does not have`)
  return zstdDecompressSync(packed.subarray(1), { chunkSize: TEXT_CHUNK_BYTES, dictionary })
}
