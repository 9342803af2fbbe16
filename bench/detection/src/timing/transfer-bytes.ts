import { gzipSync } from 'node:zlib'

/** Not the agent's: it does the measuring. */
const MEASURE = '/measure.js'

/** Bytes of all scripts among these addresses, each gzipped at level 9: what a page fetches before it knows them. */
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
