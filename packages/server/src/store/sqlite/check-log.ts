import { open } from 'node:fs/promises'
import { endianness } from 'node:os'

/**
 * Looks for damage in a write-ahead log that SQLite would pass over: it stops reading at the first frame that is not
 * intact, and so forgets the transactions after it without a word. The format is https://www.sqlite.org/fileformat2.html#walformat.
 */

const HEADER_BYTES = 32
const FRAME_HEADER_BYTES = 24
const PAGE_BYTES_MIN = 512
/** The last bit says that words are read with the most significant byte first. */
const MAGIC = 0x377f0682
const CHUNK_FRAMES = 256

type Sums = readonly [number, number]

interface Log {
  pageBytes: number
  isBigEndian: boolean
  salts: Buffer
  sums: Sums
}

/**
 * Whether committed transactions are lost in the log. A crash leaves at most the last transaction incomplete, because
 * each commit is synced before the next begins: more intact frames after a broken transaction mean damage.
 */
export async function isLogDamaged(path: string): Promise<boolean> {
  const file = await open(path, 'r').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  })
  if (!file) return false
  try {
    const { size } = await file.stat()
    // Created, and not written yet.
    if (size < HEADER_BYTES + FRAME_HEADER_BYTES + PAGE_BYTES_MIN) return false
    const log = readHeader((await file.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0)).buffer)
    if (!log) return true
    const frameBytes = FRAME_HEADER_BYTES + log.pageBytes
    const scan = createScan(log)
    const chunk = Buffer.alloc(frameBytes * CHUNK_FRAMES)
    for (let at = HEADER_BYTES; at + frameBytes <= size; at += chunk.length) {
      const { bytesRead } = await file.read(chunk, 0, chunk.length, at)
      for (let offset = 0; offset + frameBytes <= bytesRead; offset += frameBytes)
        if (scan(chunk.subarray(offset, offset + frameBytes)) === 'damaged') return true
    }
    return false
  } finally {
    await file.close()
  }
}

/** Undefined when it is not intact. */
function readHeader(header: Buffer): Log | undefined {
  const magic = header.readUInt32BE(0)
  if ((magic & ~1) >>> 0 !== MAGIC) return undefined
  const isBigEndian = (magic & 1) === 1
  const sums = sumsOf(header.subarray(0, 24), [0, 0], isBigEndian)
  if (!isEqual(sums, readSums(header, 24))) return undefined
  return { pageBytes: header.readUInt32BE(8), isBigEndian, salts: Buffer.from(header.subarray(16, 24)), sums }
}

/** Takes one frame after the other. */
function createScan({ salts, sums: first, isBigEndian }: Log): (frame: Buffer) => 'intact' | 'damaged' {
  let sums = first
  let isBroken = false
  let endsAfterBroken = false

  return (frame) => {
    // Frames of an earlier use of the file have other salts.
    const isCurrent = frame.subarray(8, 16).equals(salts)
    if (!isBroken) {
      const next = sumsOf(
        frame.subarray(FRAME_HEADER_BYTES),
        sumsOf(frame.subarray(0, 8), sums, isBigEndian),
        isBigEndian,
      )
      if (isCurrent && isEqual(next, readSums(frame, 16))) {
        sums = next
        return 'intact'
      }
      isBroken = true
    }
    if (!isCurrent) return 'intact'
    if (endsAfterBroken) return 'damaged'
    // A commit frame has the size of the database.
    endsAfterBroken = frame.readUInt32BE(4) !== 0
    return 'intact'
  }
}

const readSums = (bytes: Buffer, at: number): Sums => [bytes.readUInt32BE(at), bytes.readUInt32BE(at + 4)]
const isEqual = (a: Sums, b: Sums): boolean => a[0] === b[0] && a[1] === b[1]

function sumsOf(bytes: Buffer, [before, after]: Sums, isBigEndian: boolean): Sums {
  let [first, second] = [before, after]
  // Copied, because an Uint32Array must start at a multiple of four bytes.
  const words = new Uint32Array(Uint8Array.from(bytes).buffer)
  const isSwapped = isBigEndian !== (endianness() === 'BE')
  for (let at = 0; at < words.length; at += 2) {
    first = (first + word(words[at] ?? 0, isSwapped) + second) >>> 0
    second = (second + word(words[at + 1] ?? 0, isSwapped) + first) >>> 0
  }
  return [first, second]
}

const word = (value: number, isSwapped: boolean): number =>
  isSwapped
    ? ((value << 24) | ((value & 0xff00) << 8) | ((value >>> 8) & 0xff00) | (value >>> 24)) >>> 0
    : value
