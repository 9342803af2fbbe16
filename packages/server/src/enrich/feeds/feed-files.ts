import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { CompiledFeed } from './compile-feed.ts'
import type { Feed } from './feed.ts'

/**
 * `ID.json` is the record of a feed and refers to the file with its ranges, `ID.HASH.bin`, which never changes.
 * Replacing the record is atomic: after a crash either the old list or the new one is in use.
 */
export interface FeedFiles {
  /** Changes whenever the record does; empty without one. */
  stamp(id: string): Promise<string>
  read(feed: Feed): Promise<StoredFeed>
  /** Writes a record, and its ranges if they are new. */
  write(feed: Feed, record: FeedRecord, ranges?: CompiledFeed): Promise<void>
}

export interface StoredFeed {
  record: FeedRecord | undefined
  /** Undefined when the file is missing or damaged. */
  bytes: Uint8Array | undefined
}

const FOLDER = 'feeds'
/** Younger files are kept, because another process may be about to write the record that refers to them. */
const LEFTOVER_MS = 60 * 60_000

export function openFeedFiles(dataDir: string): FeedFiles {
  const folder = join(dataDir, FOLDER)
  const recordFile = (id: string) => join(folder, `${id}.json`)
  const rangesName = (id: string, sha256: string) => `${id}.${sha256.slice(0, 16)}.bin`

  async function readRanges(id: string, sha256: string): Promise<Uint8Array | undefined> {
    const bytes = await readFile(join(folder, rangesName(id, sha256))).catch(() => undefined)
    return bytes && createHash('sha256').update(bytes).digest('hex') === sha256 ? bytes : undefined
  }

  /** Removes temporary files of crashed processes and ranges that no record refers to. */
  async function removeLeftovers(id: string, keptName: string): Promise<void> {
    const { mtimeMs } = await stat(join(folder, keptName))
    for (const name of await readdir(folder)) {
      if (!name.startsWith(`${id}.`) || name === keptName || name === `${id}.json`) continue
      const file = join(folder, name)
      const age = await stat(file).then(
        (stats) => mtimeMs - stats.mtimeMs,
        () => 0,
      )
      if (age > LEFTOVER_MS) await rm(file, { force: true })
    }
  }

  return {
    async stamp(id) {
      const stats = await stat(recordFile(id), { bigint: true }).catch(() => undefined)
      return stats ? `${stats.ino}-${stats.mtimeNs}` : ''
    },
    async read(feed) {
      const text = await readFile(recordFile(feed.id), 'utf8').catch(() => undefined)
      const record = text === undefined ? undefined : parseRecord(feed, text)
      return { record, bytes: record?.data && (await readRanges(feed.id, record.data.sha256)) }
    },
    async write({ id }, record, ranges) {
      if (ranges) await writeWhole(folder, rangesName(id, ranges.sha256), ranges.bytes)
      await writeWhole(folder, `${id}.json`, formatRecord(record))
      if (ranges) await removeLeftovers(id, rangesName(id, ranges.sha256))
    },
  }
}

/** Writes a file atomically, also with respect to power failures. */
async function writeWhole(folder: string, name: string, content: string | Uint8Array): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const temporary = join(folder, `${name}.${randomUUID()}.tmp`)
  try {
    const file = await open(temporary, 'wx')
    try {
      await file.writeFile(content)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, join(folder, name))
  } finally {
    await rm(temporary, { force: true })
  }
}

const time = z.iso.datetime().transform((text) => Date.parse(text))

/** The record of a feed: source, licence, current ranges, and the last failure. */
const FeedRecord = z.object({
  url: z.string(),
  parser: z.string(),
  terms: z.string(),
  data: z
    .object({
      /** SHA-256 of the file with the ranges. */
      sha256: z.string().regex(/^[0-9a-f]{64}$/),
      rows: z.number().int(),
      /** When the source last confirmed the list. */
      updated_at: time,
      etag: z.string().optional(),
      last_modified: z.string().optional(),
    })
    .optional(),
  failure: z.object({ at: time, reason: z.string() }).optional(),
})

export type FeedRecord = z.output<typeof FeedRecord>

export const sourceOf = ({ url, parser, terms }: Feed): Pick<FeedRecord, 'url' | 'parser' | 'terms'> => ({
  url,
  parser,
  terms,
})

/** Undefined when the text is damaged or belongs to another source. */
function parseRecord(feed: Feed, text: string): FeedRecord | undefined {
  const record = FeedRecord.safeParse(parseJson(text)).data
  return record?.url === feed.url && record.parser === feed.parser ? record : undefined
}

function formatRecord({ data, failure, ...source }: FeedRecord): string {
  const record = {
    ...source,
    data: data && { ...data, updated_at: new Date(data.updated_at).toISOString() },
    failure: failure && { ...failure, at: new Date(failure.at).toISOString() },
  }
  return `${JSON.stringify(record, null, 2)}\n`
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
