import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import { openEngine } from './engine/open-engine.ts'
import { openDatabase } from './inkling/open-database.ts'
import { addDomain } from './inkling/start-inkling.ts'
import { startNodes } from './inkling/start-nodes.ts'
import { describeMachine } from './lib/describe-machine.ts'
import { median, summarize } from './lib/samples.ts'
import { saturate } from './load/saturate.ts'
import { visitTemplates } from './load/visit-templates.ts'

/**
 * What splitting the tables over a Citus cluster costs: one node and the same visits of several domains against empty
 * databases, in turns. The first is a PostgreSQL without Citus, the others are coordinators. Processor time is that of
 * the whole machine, load generator included, so nothing else may run and all databases have to be on it.
 */
const { values, positionals: urls } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '7' },
    concurrency: { type: 'string', default: '32' },
    domains: { type: 'string', default: '4' },
  },
})
if (urls.length < 2) {
  console.error('usage: bench:distribution -- postgres://plain postgres://coordinator…')
  process.exit(2)
}
const CLI = fileURLToPath(new URL('../../packages/server/src/cli/inkling.ts', import.meta.url))
const WARM_UP_SECONDS = 3
const seconds = Number(values.seconds)

interface Subject {
  name: string
  rounds: { perSecond: number; p99Ms: number; machineMicroseconds: number }[]
  /** Runs one round. */
  run(): Promise<void>
  /** Acknowledged visits without a row. */
  missing(): Promise<number>
  stop(): Promise<void>
}

async function open(url: string, isSplit: boolean): Promise<Subject> {
  const workers = isSplit ? await distribute(url) : 0
  const engine = await openEngine({ name: 'postgres', nodes: 1, databaseUrl: url })
  const [place] = engine.places
  const domains = []
  for (let number = 1; number <= Number(values.domains); number++)
    domains.push(await addDomain(place, `bench-${number}.example`))
  const inkling = await startNodes(engine.places)
  const port = inkling.ports[0] ?? 0
  const templates = domains.flatMap(({ domain, public_key }) =>
    visitTemplates({ port, publicKey: public_key, domain }),
  )
  const load = { ports: inkling.ports, templates, concurrency: Number(values.concurrency), newcomers: 0.1 }
  const database = openDatabase(place)
  let acknowledged = (await saturate({ ...load, seconds: WARM_UP_SECONDS })).acknowledged
  const rounds: Subject['rounds'] = []
  return {
    name: isSplit ? `Citus, ${workers} ${workers === 1 ? 'worker' : 'workers'}` : 'one PostgreSQL',
    rounds,
    async run() {
      const before = await machineMs()
      const measured = await saturate({ ...load, seconds })
      const used = (await machineMs()) - before
      if (measured.failed > 0) throw new Error(`${measured.failed} visits failed`)
      acknowledged += measured.acknowledged
      rounds.push({
        perSecond: measured.perSecond,
        p99Ms: summarize(measured.latenciesMs).p99,
        machineMicroseconds: (used * 1_000) / measured.acknowledged,
      })
    },
    missing: async () => acknowledged - (await database.count('identifications')),
    async stop() {
      await inkling.stop()
      await database.close()
      await engine.stop()
    },
  }
}

/** @returns the number of workers */
async function distribute(url: string): Promise<number> {
  const { stdout } = await promisify(execFile)(process.execPath, [CLI, 'distribute', '--to', url, '--json'])
  const { workers } = JSON.parse(stdout) as { workers: string }
  return workers.split(', ').length
}

/** Time of all processors but idle and waiting, from the first line of /proc/stat, in hundredths of a second. */
async function machineMs(): Promise<number> {
  const [, ...ticks] = (await readFile('/proc/stat', 'utf8')).split('\n', 1)[0]?.split(/\s+/) ?? []
  const [user = 0, nice = 0, system = 0, , , irq = 0, softIrq = 0] = ticks.map(Number)
  return (user + nice + system + irq + softIrq) * 10
}

const subjects: Subject[] = []
for (const [index, url] of urls.entries()) subjects.push(await open(url, index > 0))
for (let round = 1; round <= Number(values.rounds); round++)
  for (const subject of subjects) await subject.run()

console.log(`\n${describeMachine()}\n`)
const [plain] = subjects
const costOf = ({ rounds }: Subject): number =>
  median(rounds.map(({ machineMicroseconds }) => machineMicroseconds))
let missing = 0
for (const subject of subjects) {
  const { name, rounds } = subject
  const rate = median(rounds.map(({ perSecond }) => perSecond))
  const p99Ms = median(rounds.map((round) => round.p99Ms))
  const ratio = plain === undefined ? 1 : costOf(subject) / costOf(plain)
  const lost = await subject.missing()
  missing += lost
  console.log(
    `${name.padEnd(18)} ${rate.toFixed(0)}/s, p99 ${p99Ms.toFixed(0)} ms, ${costOf(subject).toFixed(0)} µs of the machine each (${ratio.toFixed(2)} times), ${lost} acknowledged without a row`,
  )
  await subject.stop()
}
process.exit(missing === 0 ? 0 : 1)
