import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import Fastify from 'fastify'
import type { CeilingRow } from './ceiling-columns.ts'
import { openCeilingPool } from './ceiling-postgres.ts'
import { openCeilingTable } from './ceiling-table.ts'

/**
 * A Fastify route that only stores the bytes: no identification, no score, no event. It responds after the
 * commit, like Inkling.
 */
const WINDOW_MS = 2
const BATCH_MAX = 128

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '' },
    /** SQLite: the file, and whether the main thread or a worker writes. */
    file: { type: 'string', default: '' },
    thread: { type: 'string', default: 'main' },
    /** PostgreSQL: its URL, and the number of concurrent batches. */
    'database-url': { type: 'string' },
    connections: { type: 'string', default: '1' },
  },
})

type Write = (rows: CeilingRow[]) => Promise<void>

function onMainThread(): Write {
  const write = openCeilingTable(values.file)
  return async (rows) => write(rows)
}

function onWorkerThread(): Write {
  const worker = new Worker(new URL('./ceiling-writer.ts', import.meta.url), { workerData: values.file })
  return async (rows) => {
    worker.postMessage(rows)
    await once(worker, 'message')
  }
}

function chooseWrite(): Write {
  const url = values['database-url']
  if (url !== undefined) return openCeilingPool(url, Number(values.connections))
  return values.thread === 'worker' ? onWorkerThread() : onMainThread()
}

const write = chooseWrite()
const waiting: { row: CeilingRow; done: PromiseWithResolvers<void> }[] = []
let free = Number(values.connections)
let timer: NodeJS.Timeout | undefined

async function flush(): Promise<void> {
  clearTimeout(timer)
  timer = undefined
  const batch = waiting.splice(0, BATCH_MAX)
  free -= 1
  await write(batch.map(({ row }) => row))
  free += 1
  for (const { done } of batch) done.resolve()
  next()
}

function next(): void {
  if (free === 0 || waiting.length === 0) return
  if (waiting.length >= BATCH_MAX) void flush()
  else timer ??= setTimeout(() => void flush(), WINDOW_MS)
}

function commit(row: CeilingRow): Promise<void> {
  const done = Promise.withResolvers<void>()
  waiting.push({ row, done })
  next()
  return done.promise
}

const app = Fastify({ logger: false })
app.removeAllContentTypeParsers()
app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
app.post<{ Params: { id: string }; Body: Buffer }>('/snapshot/:id', async (request, reply) => {
  const address = String(request.headers['x-forwarded-for'])
  await commit({
    requestId: request.params.id,
    address,
    host: String(request.headers.origin),
    body: request.body,
  })
  return reply.header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(address))
})
process.on('SIGTERM', () => process.exit(0))
await app.listen({ host: '127.0.0.1', port: Number(values.port) })
console.log('listening')
