import { readFileSync } from 'node:fs'
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'

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

/** Most packed texts fit in one chunk. The default is much larger, and allocating it takes longer than compressing. */
const PACKED_CHUNK_BYTES = 1_024
const TEXT_CHUNK_BYTES = 8_192
/** With the dictionary, higher levels take longer and save nothing. */
const LEVEL = 1

/** Synchronous, because a round trip to the thread pool would take longer than the compression. */
export function packText(text: string | Uint8Array): Uint8Array {
  const frame = zstdCompressSync(text, {
    chunkSize: PACKED_CHUNK_BYTES,
    pledgedSrcSize: Buffer.byteLength(text),
    dictionary: CURRENT_DICTIONARY,
    // Four bytes by which a text that meets another dictionary is refused rather than misread.
    params: { [constants.ZSTD_c_compressionLevel]: LEVEL, [constants.ZSTD_c_checksumFlag]: 1 },
  })
  const packed = new Uint8Array(frame.length + 1)
  packed[0] = CURRENT
  packed.set(frame, 1)
  return packed
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
