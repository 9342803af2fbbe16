/**
 * Runs in the page of one load and calls one agent once. `?mode=time` measures when it was done,
 * `?mode=block` how long the main thread was blocked. Never both, because probing the thread takes time
 * itself.
 */

interface Peer {
  run(): Promise<void>
}

interface Inkling {
  forceCheckAnonymous(options: { onInitialized(result: { requestID?: string }): void }): void
}

/** Lets the page and the newly started browser become idle. */
const SETTLE_MS = 1_000
/** Measured from the call, so it includes late probes. */
const WATCH_MS = 2_000

const { agent: agentUrl = '', load = '' } = document.documentElement.dataset
const mode = new URLSearchParams(location.search).get('mode')
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Milliseconds from the call to the request or, for a peer, to the result. */
async function callToDone(module: Peer | Inkling): Promise<number> {
  const calledAt = performance.now()
  if ('run' in module) {
    await module.run()
    return performance.now() - calledAt
  }
  const requestId = await new Promise<string>((resolve, reject) => {
    module.forceCheckAnonymous({
      onInitialized: ({ requestID }) =>
        requestID ? resolve(requestID) : reject(new Error('not initialized')),
    })
  })
  return (await requestOf(requestId)).startTime - calledAt
}

/** Of the identification, before which the agent asks for a ticket under the same ID. */
const requestOf = (requestId: string): Promise<PerformanceEntry> =>
  new Promise((resolve) => {
    new PerformanceObserver((list) => {
      const entry = list.getEntries().find(({ name }) => name.includes(`/snapshot/${requestId}`))
      if (entry) resolve(entry)
    }).observe({ type: 'resource', buffered: true })
  })

/** Milliseconds of the longest gap between two messages of a permanently busy message channel. */
async function longestBlock(use: () => Promise<unknown>): Promise<number> {
  const channel = new MessageChannel()
  let longest = 0
  let last = performance.now()
  channel.port1.onmessage = () => {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
    channel.port2.postMessage(0)
  }
  channel.port2.postMessage(0)
  await wait(100)
  longest = 0
  await Promise.all([use(), wait(WATCH_MS)])
  channel.port1.close()
  return longest
}

async function measure(): Promise<number> {
  await wait(SETTLE_MS)
  if (mode === 'time') return callToDone(await import(agentUrl))
  // Loading the script is part of the cost. Without a script only the browser is measured.
  return longestBlock(async () => (agentUrl ? callToDone(await import(agentUrl)) : undefined))
}

const tell = (result: object): void =>
  void fetch(`/loads/${load}`, { method: 'POST', body: JSON.stringify(result) })
measure().then(
  (ms) => tell({ ms, urls: performance.getEntriesByType('resource').map(({ name }) => name) }),
  (error) => tell({ error: String(error) }),
)
