import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { memoryReplayStore } from '@inkling/sdk'
import { createWorker } from './webhook-worker.ts'

const { PORT = '3001', INKLING_WEBHOOK_SECRETS = '' } = process.env
const secrets = INKLING_WEBHOOK_SECRETS.split(',').filter((secret) => secret !== '')

if (secrets.length === 0) {
  process.stderr.write('Set INKLING_WEBHOOK_SECRETS: see README.md\n')
  process.exit(1)
}
const worker = createWorker({
  secrets,
  store: memoryReplayStore(),
  print: (line) => process.stdout.write(`${line}\n`),
}).listen(Number(PORT), '127.0.0.1')
await once(worker, 'listening')
process.stdout.write(`waiting for events at http://localhost:${(worker.address() as AddressInfo).port}\n`)
