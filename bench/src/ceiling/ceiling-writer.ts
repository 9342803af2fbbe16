import { parentPort, workerData } from 'node:worker_threads'
import type { CeilingRow } from './ceiling-columns.ts'
import { openCeilingTable } from './ceiling-table.ts'

/** The table on a thread of its own: each message is a batch, each answer its commit. */
const write = openCeilingTable(String(workerData))
parentPort?.on('message', (rows: CeilingRow[]) => {
  write(rows)
  parentPort?.postMessage('committed')
})
