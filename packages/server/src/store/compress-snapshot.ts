import { constants, zstdCompressSync } from 'node:zlib'

/** A compressed snapshot is about 2 KB: the default chunk is far more than it needs. */
const CHUNK_BYTES = 8_192

/** Takes less time than handing the text to a thread and back would. */
export const compressSnapshot = (text: string): Uint8Array =>
  zstdCompressSync(text, {
    chunkSize: CHUNK_BYTES,
    pledgedSrcSize: Buffer.byteLength(text),
    params: { [constants.ZSTD_c_compressionLevel]: 3 },
  })
