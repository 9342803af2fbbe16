import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** How the names of complete files end. */
export const FINISHED = '.ndjson.gz'

/** What the files take that nobody has fetched yet. */
export async function unreadBytes(directory: string): Promise<number> {
  let bytes = 0
  // A receiver may remove one meanwhile.
  for (const name of await readdir(directory))
    if (name.endsWith(FINISHED))
      bytes += (await stat(join(directory, name)).catch(() => undefined))?.size ?? 0
  return bytes
}
