import { createWriteStream } from 'node:fs'
import { chmod, mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { FINISHED } from './unread-bytes.ts'

/** Generated, so that no server has to make it. */
const LINE_SCHEMA = new URL('../../../../contract/generated/schemas/change-feed-line.json', import.meta.url)
const TEMPORARY = '.tmp'
/** The group may fetch, whatever the server keeps private otherwise; only the owner of the folder lets it remove. */
const FILE_MODE = 0o640
const DIRECTORY_MODE = 0o750
/** Digits of the greatest safe integer, so that names sort like the numbers. */
const DIGITS = 16

/**
 * Writes lines to a file that has its name only once it is complete and on disk.
 * @param sequence of its first line, by which the names sort
 * @returns its name; undefined without a line, where no file is left
 */
export async function writeFeedFile(
  directory: string,
  sequence: number,
  lines: AsyncIterable<string>,
): Promise<string | undefined> {
  const name = `changes-${String(sequence).padStart(DIGITS, '0')}${FINISHED}`
  const temporary = join(directory, `.${name}${TEMPORARY}`)
  let isEmpty = true
  async function* counted() {
    for await (const line of lines) {
      isEmpty = false
      yield `${line}\n`
    }
  }
  await pipeline(Readable.from(counted()), createGzip(), createWriteStream(temporary))
  if (isEmpty) {
    await rm(temporary)
    return undefined
  }
  await chmod(temporary, FILE_MODE)
  await flush(temporary, 'r+')
  await rename(temporary, join(directory, name))
  await flush(directory, 'r')
  return name
}

/** Without this a power failure may take the file, or its name, although the feed has moved on. */
async function flush(path: string, flags: string): Promise<void> {
  const handle = await open(path, flags)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Makes it where there is none. */
export async function makeFeedDirectory(directory: string): Promise<void> {
  const made = await mkdir(directory, { recursive: true })
  if (made !== undefined) await chmod(directory, DIRECTORY_MODE)
}

/** Makes it, removes what an interrupted run left, and puts the schema of a line beside the files. */
export async function prepareFeedDirectory(directory: string): Promise<void> {
  await makeFeedDirectory(directory)
  for (const name of await readdir(directory))
    if (name.startsWith('.changes-') && name.endsWith(TEMPORARY))
      await rm(join(directory, name), { force: true })
  const schema = await readFile(LINE_SCHEMA)
  const file = join(directory, 'schema.json')
  const present = await readFile(file).catch(() => undefined)
  if (present?.equals(schema)) return
  await writeFile(`${file}${TEMPORARY}`, schema)
  await chmod(`${file}${TEMPORARY}`, FILE_MODE)
  await rename(`${file}${TEMPORARY}`, file)
}
