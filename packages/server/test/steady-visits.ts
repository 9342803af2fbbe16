import { randomUUID } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { onTestFinished } from 'vitest'
import { readConfig } from '../src/composition/config.ts'
import { startServer } from '../src/composition/start-server.ts'
import { freePort } from '../src/lib/free-port.ts'
import { createLog } from '../src/lib/log.ts'
import { ordinaryBody } from './contract/bodies.ts'
import { postSnapshot, type TestServer } from './running-server.ts'

type Visited = Pick<TestServer, 'url' | 'keys'>

const WAYS = 4

/** For tests in which one address sends the visits of thousands. */
export const ROOMY = {
  INGEST_LIMIT_PER_MINUTE: '1000000',
  HISTORY_LIMIT_PER_SECOND: '1000000',
  FOLLOW_UP_SECONDS: '0',
}

export interface SteadyVisits {
  /** Acknowledged request IDs, in order. */
  acknowledged: string[]
  /** Resolves once this many visits have been acknowledged. */
  count(visits: number): Promise<void>
  end(): Promise<void>
}

/** Sends visits from several concurrent loops until `end` is called. */
export function steadyVisits(server: Visited): SteadyVisits {
  const acknowledged: string[] = []
  const reached = new EventEmitter()
  let going = true
  const ways = Array.from({ length: WAYS }, async () => {
    while (going) {
      const id = randomUUID()
      const { ok } = await postSnapshot(server, id, ordinaryBody())
      if (ok) reached.emit(String(acknowledged.push(id)))
    }
  })
  async function end(): Promise<void> {
    going = false
    await Promise.all(ways)
  }
  // Also when the test fails.
  onTestFinished(end)
  return {
    acknowledged,
    async count(visits) {
      if (acknowledged.length < visits) await once(reached, String(visits))
    },
    end,
  }
}

/** A server on an existing database, closed at the end of the test. The test may close it earlier. */
export async function serverOn(
  settings: Record<string, string>,
  keys: TestServer['keys'],
): Promise<Visited & { close(): Promise<void> }> {
  const port = await freePort('127.0.0.1')
  const quiet = { LOG_LEVEL: 'warn', TURN_PORT: 'off', FEEDS: 'off', WEBHOOK_ALLOW_PRIVATE: 'true' }
  const config = readConfig({ PORT: String(port), ...quiet, ...ROOMY, ...settings })
  const server = await startServer(config, createLog(config.LOG_LEVEL))
  let closing: Promise<void> | undefined
  const close = () => (closing ??= server.close())
  onTestFinished(close)
  return { url: `http://127.0.0.1:${port}`, keys, close }
}
