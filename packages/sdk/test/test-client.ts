import type { TestServer } from '../../server/test/running-server.ts'
import { type Client, type ClientOptions, createClient } from '../src/client.ts'
import { realSleep } from '../src/retry.ts'

export interface TestClient {
  client: Client
  /** The duration of every wait in milliseconds, in order. */
  waits: number[]
  /** Path and query of every request, in order. */
  paths: string[]
}

interface TestClientOptions extends Partial<ClientOptions> {
  /** Runs before each wait; its number counts from 1. */
  onWait?: (count: number) => Promise<void> | void
  /** Waits in real time, for limits on the server's clock. */
  realTime?: boolean
}

/** A client of a running server. Its clock moves only by waiting, and waiting takes no time. */
export function testClient(
  { url, keys }: Pick<TestServer, 'url' | 'keys'>,
  { onWait, realTime = false, fetch = globalThis.fetch, ...options }: TestClientOptions = {},
): TestClient {
  const waits: number[] = []
  const paths: string[] = []
  let time = 0
  const client = createClient({
    // Uses the longest wait of each retry.
    random: () => 1,
    historyUrl: url,
    apiKey: keys.api_key,
    now: () => time,
    sleep: async (ms, signal) => {
      waits.push(ms)
      time += ms
      await onWait?.(waits.length)
      await realSleep(realTime ? ms : 0, signal)
    },
    fetch: (input, init) => {
      const { pathname, search } = new URL(String(input))
      paths.push(pathname + search)
      return fetch(input, init)
    },
    ...options,
  })
  return { client, waits, paths }
}

/**
 * A fetch that sends its first request together with many others. With a limit of one per second the server rejects
 * all but one or two of them, and the client gets a rejection.
 */
export function crowdedFetch(): typeof globalThis.fetch {
  let crowded = false
  return async (input, init) => {
    if (crowded) return fetch(input, init)
    crowded = true
    const answers = await Promise.all(Array.from({ length: 8 }, () => fetch(input, init)))
    const refused = answers.find(({ status }) => status === 429)
    if (!refused) throw new Error('the server refused nobody')
    return refused
  }
}
