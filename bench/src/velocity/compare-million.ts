import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { openServerSecrets } from '../../../packages/server/src/auth/server-secrets.ts'
import { domainStore } from '../../../packages/server/src/store/domains/domains.ts'
import { openStore } from '../../../packages/server/src/store/open-store.ts'
import {
  type Compared,
  compareCounts,
  type MadeVisit,
  madeVisits,
} from '../../../packages/server/test/made-visits.ts'
import { type EngineName, openEngine } from '../engine/open-engine.ts'
import { addDomain } from '../inkling/start-inkling.ts'
import { progress } from '../lib/progress.ts'
import { seededRandom } from '../lib/seeded-random.ts'

const WRITER = fileURLToPath(new URL('../../../packages/server/test/velocity-writer.ts', import.meta.url))
const DAY_MS = 86_400_000
const NODES = 2
/** Subjects of a kind that are compared: one in this many. */
const EVERY = 25

interface Options {
  engine: EngineName
  visits: number
  kills: number
}

/**
 * Stores visits by two processes at once, which are killed in the middle of each part and begin it again, and compares
 * the counts with a list of all visits. The embedded database has one writer; the second process waits for it.
 */
export async function compareMillion({ engine, visits: count, kills }: Options): Promise<Compared> {
  const opened = await openEngine({ name: engine, nodes: 1 })
  const [place] = opened.places
  await addDomain(place, 'bench.example')
  const store = await openStore(place)
  await openServerSecrets(store.secrets)
  const domain = await domainStore(store.reads).find('bench.example')
  if (!domain) throw new Error('the domain is not registered')
  const firstMs = Date.UTC(2026, 10, 1)
  const visits = madeVisits(count, {
    people: Math.ceil(count / 20),
    firstMs,
    spanMs: 10 * DAY_MS,
    random: seededRandom(22),
  })
  const parts = Math.max(1, kills)
  for (let part = 0; part < parts; part++) {
    const those = visits.slice((part * count) / parts, ((part + 1) * count) / parts)
    const shares = Array.from({ length: NODES }, (_, node) =>
      those.filter(({ number }) => number % NODES === node),
    )
    const write = (share: readonly MadeVisit[]) =>
      startWriter([place.dataDir, place.databaseUrl ?? '', String(domain.id)], share)
    const storeThese = (portion: number) =>
      Promise.all(shares.map((share) => killAfter(write(share), share.length * portion)))
    if (kills > 0) await storeThese(0.5)
    await storeThese(1)
    progress(`${Math.round(((part + 1) * count) / parts).toLocaleString('en')} visits stored`)
  }
  const atMs = visits.at(-1)?.atMs ?? firstMs
  const compared = await compareCounts(store, domain.id, { visits, atMs, every: EVERY })
  await store.close()
  await opened.stop()
  return compared
}

interface Writer {
  child: ChildProcess
  lines: AsyncIterable<string>
  ended: Promise<unknown[]>
}

function startWriter(argv: readonly string[], visits: readonly MadeVisit[]): Writer {
  const child = spawn(process.execPath, [WRITER, ...argv], { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(JSON.stringify(visits))
  return { child, lines: createInterface(child.stdout), ended: once(child, 'exit') }
}

/** @throws if the process ends before it has said that so many are stored */
async function killAfter({ child, lines, ended }: Writer, stored: number): Promise<void> {
  for await (const line of lines) if (Number(line) >= stored) child.kill('SIGKILL')
  const [code, signal] = await ended
  if (signal !== 'SIGKILL') throw new Error(`a writer ended with ${code}`)
}
