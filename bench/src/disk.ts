import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { openEngine, readEngineName } from './engine/open-engine.ts'
import { type RelationSize, relationSizes } from './growth/relation-sizes.ts'
import { awaitEmptyOutbox } from './inkling/await-empty-outbox.ts'
import { openDatabase } from './inkling/open-database.ts'
import { addDomain, addWebhook, startInkling } from './inkling/start-inkling.ts'
import { describeMachine } from './lib/describe-machine.ts'
import { progress } from './lib/progress.ts'
import { saturate } from './load/saturate.ts'
import { visitTemplates } from './load/visit-templates.ts'
import { startReceiver } from './receive/start-receiver.ts'

/** Measures what an identification with its event takes on disk, table by table, and what is written for it. */
const { values } = parseArgs({
  options: {
    engine: { type: 'string', default: 'sqlite' },
    /** Identifications to store. */
    visits: { type: 'string', default: '10000' },
    concurrency: { type: 'string', default: '32' },
    /** Share of the visits that are a visitor's first. */
    newcomers: { type: 'string', default: '0.1' },
  },
})
const visits = Number(values.visits)
const OUTBOX_TIMEOUT_MS = 300_000
/** Lines of the table below this are added up in one. */
const BYTES_LEAST = 4
/** Emptied within seconds, so their size depends on the peak load and not on the stored rows. */
const PASSING = /^(outbox|limits|unlisted_keys)/

const engine = await openEngine({ name: readEngineName(values.engine), nodes: 1 })
const [place] = engine.places
const keys = await addDomain(place, 'bench.example')
const receiver = await startReceiver()
await addWebhook(place, keys.domain, receiver.url)
const database = openDatabase(place)
const server = await startInkling(place)
const templates = visitTemplates({ port: server.port, publicKey: keys.public_key, domain: keys.domain })

/** Bytes that a process had written to disk; PostgreSQL's processes are many, so its are not counted. */
async function writtenBytes(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/io`, 'utf8')
  return Number(/^write_bytes: (\d+)$/m.exec(text)?.[1])
}

const before = await writtenBytes(server.pid)
let stored = 0
let failed = 0
while (stored < visits && failed === 0) {
  const load = await saturate({
    ports: [server.port],
    concurrency: Number(values.concurrency),
    templates,
    seconds: 1,
    newcomers: Number(values.newcomers),
  })
  stored += load.acknowledged
  failed += load.failed
  progress(`${stored} stored`)
}
await awaitEmptyOutbox(database, OUTBOX_TIMEOUT_MS)
const written = (await writtenBytes(server.pid)) - before
await server.stop()
await database.close()
receiver.close()
const sizes = await relationSizes(place)
await engine.stop()

const each = ({ bytes }: RelationSize): number => bytes / stored
const lasting = sizes.filter(({ name }) => !PASSING.test(name))
const sum = (some: readonly RelationSize[]): number => some.reduce((total, size) => total + each(size), 0)
const small = lasting.filter((size) => each(size) < BYTES_LEAST)
console.log(`${describeMachine()}; ${engine.name}, ${stored.toLocaleString('en')} identifications\n`)
console.log('| table or index | bytes for each |\n|---|---|')
for (const size of lasting.filter((size) => each(size) >= BYTES_LEAST))
  console.log(`| ${size.name} | ${each(size).toFixed(0)} |`)
console.log(`| ${small.length} smaller ones | ${sum(small).toFixed(0)} |`)
console.log(`| all | ${sum(lasting).toFixed(0)} |`)
if (engine.name === 'sqlite')
  console.log(`\nWritten to disk for each: ${(written / stored / 1_000).toFixed(1)} kB`)
console.log(
  `\n${JSON.stringify({ engine: engine.name, stored, failed, sizes, written: engine.name === 'sqlite' ? written : undefined })}`,
)
process.exit(failed === 0 ? 0 : 1)
