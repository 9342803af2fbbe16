import { parentPort, workerData } from 'node:worker_threads'
import type { CeilingRow } from './ceiling-columns.ts'
import { openCeilingTable } from './ceiling-table.ts'

/** Writes the table in a worker thread: each message is a batch, each reply confirms its commit. */
const write = openCeilingTable(String(workerData))
parentPort?.on('message', (rows: CeilingRow[]) => {
  write(rows)
  parentPort?.postMessage('committed')
})
