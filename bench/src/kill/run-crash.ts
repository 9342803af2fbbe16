import { setTimeout as sleep } from 'node:timers/promises'
import type { DomainKeys } from '../inkling/start-inkling.ts'
import { startInkling } from '../inkling/start-inkling.ts'
import { clockMs } from '../lib/clock.ts'
import { saturate } from '../load/saturate.ts'
import { visitTemplates } from '../load/visit-templates.ts'
import type { Outage } from './judge.ts'

export interface Crash {
  acknowledged: string[]
  outage: Outage
}

/** Starts the server after the last crash, loads it, and kills it during the load. */
export async function runCrash(
  dataDir: string,
  keys: DomainKeys,
  concurrency: number,
  loadMs: number,
): Promise<Crash> {
  const server = await startInkling({ dataDir })
  const acknowledged: string[] = []
  const load = saturate({
    ports: [server.port],
    templates: visitTemplates({ port: server.port, publicKey: keys.public_key, domain: keys.domain }),
    concurrency,
    // Longer than the server will run, so that each connection breaks during a request.
    seconds: loadMs / 1_000 + 30,
    acknowledged: (requestId) => void acknowledged.push(requestId),
  })
  await sleep(loadMs)
  await server.kill()
  const killedAt = clockMs()
  const { failed } = await load
  if (failed < concurrency) throw new Error('the kill did not fall into the load')
  return { acknowledged, outage: { fromMs: killedAt, untilMs: killedAt } }
}
