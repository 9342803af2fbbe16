import type { AddressInfo } from 'node:net'
import { createClient } from '@inkling/sdk'
import { buildSignup } from './signup-app.ts'

const {
  PORT = '3000',
  INKLING_URL = 'http://localhost:8080',
  INKLING_PUBLIC_KEY = '',
  INKLING_API_KEY = '',
} = process.env

if (!INKLING_PUBLIC_KEY || !INKLING_API_KEY) {
  process.stderr.write('Set INKLING_PUBLIC_KEY and INKLING_API_KEY: see README.md\n')
  process.exit(1)
}
const { app } = buildSignup({
  inkling: createClient({ historyUrl: INKLING_URL, apiKey: INKLING_API_KEY }),
  agentUrl: INKLING_URL,
  publicKey: INKLING_PUBLIC_KEY,
  // A shop sends it.
  mail: (email, path) => process.stdout.write(`to ${email}: ${path}\n`),
})
await app.listen({ host: '127.0.0.1', port: Number(PORT) })
const { port } = app.server.address() as AddressInfo
process.stdout.write(`sign up at http://localhost:${port}\n`)
