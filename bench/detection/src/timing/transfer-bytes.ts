import { gzipSync } from 'node:zlib'

/** Not part of the agent: the measuring script. */
const MEASURE = '/measure.js'

/**
 * Total bytes of all scripts among these URLs, each gzipped at level 9, as for a page with an empty cache.
 */
export async function transferBytes(urls: readonly string[]): Promise<number> {
  let bytes = 0
  for (const url of new Set(urls)) {
    if (!url.startsWith('http') || url.endsWith(MEASURE)) continue
    const answer = await fetch(url)
    if (answer.headers.get('content-type')?.startsWith('text/javascript'))
      bytes += gzipSync(await answer.bytes(), { level: 9 }).length
  }
  return bytes
}
