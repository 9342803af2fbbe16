import { type CollectOptions, collect } from '../src/collect/collect.ts'
import { LATE_SOURCES, SOURCES } from '../src/sources/index.ts'

/** Runs in the page: collects, and watches what that does to the page. */

/** Long limits, so that a busy test machine does not decide which sources answer. */
const NO_TIMEOUTS: CollectOptions = { limitMs: 30_000 }

export async function observe() {
  const before = await traces()
  const blocks = watchBlocks()
  const startedAt = performance.now()
  const { readings, done } = collect({ ...LATE_SOURCES, ...SOURCES }, NO_TIMEOUTS)
  await done
  const durationMs = performance.now() - startedAt
  return { readings, durationMs, longestBlockMs: blocks.stop(), before, after: await traces() }
}

export type Observed = Awaited<ReturnType<typeof observe>>

/** Everything that a source could leave behind. */
const traces = async () => ({
  html: document.documentElement.outerHTML,
  // Playwright 1.64 defines some in Firefox while the page runs.
  globals: Object.getOwnPropertyNames(window)
    .filter((name) => !name.startsWith('__pw'))
    .sort(),
  cookie: document.cookie,
  stored: [stored(() => localStorage), stored(() => sessionStorage)],
  databases: await indexedDB.databases().catch(() => null),
  files: await fileNames().catch(() => null),
})

async function fileNames(): Promise<string[]> {
  const folder = await navigator.storage.getDirectory()
  const names: string[] = []
  for await (const name of folder.keys()) names.push(name)
  return names
}

/** Null where storage is blocked, as in another site's frame in a private window of Chromium 156. */
function stored(area: () => Storage): number | null {
  try {
    return area().length
  } catch {
    return null
  }
}

/** The longest time in which the page could not run: the longest gap between messages that it posts to itself. */
function watchBlocks() {
  const { port1, port2 } = new MessageChannel()
  let longestMs = 0
  let last = performance.now()
  port1.onmessage = () => {
    const now = performance.now()
    longestMs = Math.max(longestMs, now - last)
    last = now
    port2.postMessage(0)
  }
  port2.postMessage(0)
  return {
    stop() {
      port1.close()
      return longestMs
    },
  }
}
