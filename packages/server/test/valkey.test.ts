import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Redis } from 'iovalkey'
import { expect, onTestFinished, test } from 'vitest'
import { openValkey } from '../src/composition/valkey.ts'
import { freePort } from '../src/lib/free-port.ts'
import { createRateLimit } from '../src/lib/limits.ts'
import { findValkey } from './find-valkey.ts'

const found = findValkey()

/** A server on this machine, which keeps nothing on disk. */
async function valkeyServer() {
  const port = await freePort('127.0.0.1')
  let server: ChildProcess | undefined
  async function start(): Promise<void> {
    const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
    const env = { ...process.env, LD_LIBRARY_PATH: found?.libraries }
    server = spawn(found?.program ?? '', options, { env, stdio: ['ignore', 'pipe', 'ignore'] })
    for await (const line of server.stdout ?? []) if (String(line).includes('Ready to accept')) break
  }
  async function stop(): Promise<void> {
    if (!server || server.exitCode !== null) return
    const ended = once(server, 'exit')
    server.kill('SIGKILL')
    await ended
    server = undefined
  }
  await start()
  onTestFinished(stop)
  return { url: `redis://127.0.0.1:${port}`, start, stop }
}

/** Not `once` of Node, which an attempt to connect that fails meanwhile rejects. */
const next = (valkey: Redis, event: 'ready' | 'close'): Promise<void> =>
  new Promise((resolve) => valkey.once(event, () => resolve()))

/** The limit of one node: two requests a minute. */
async function nodeOn(url: string) {
  const alone: unknown[] = []
  const valkey = openValkey(url, () => {})
  onTestFinished(() => valkey.disconnect())
  await next(valkey, 'ready')
  const options = { points: 2, windowSeconds: 60, blockSeconds: 600 }
  const onAlone = (error: unknown) => void alone.push(error)
  return { alone, valkey, ...createRateLimit(options, { name: 'ingest', pool: undefined, valkey, onAlone }) }
}

test.skipIf(!found)('nodes count together in Valkey, and each alone while it does not respond', async () => {
  const server = await valkeyServer()
  const [a, b] = [await nodeOn(server.url), await nodeOn(server.url)]
  expect([await a.take('x'), await b.take('x'), await a.take('x'), await b.take('x')]).toEqual([
    'allowed',
    'allowed',
    'exceeded',
    'blocked',
  ])
  expect(await b.waitSeconds('x')).toBeGreaterThan(590)
  expect(await b.take('y')).toBe('allowed')
  expect(a.alone).toEqual([])

  const lost = Promise.all([next(a.valkey, 'close'), next(b.valkey, 'close')])
  await server.stop()
  await lost
  expect([await a.take('z'), await b.take('z'), await a.take('z'), await a.take('z')]).toEqual([
    'allowed',
    'allowed',
    'allowed',
    'exceeded',
  ])
  expect(a.alone).toHaveLength(3)

  const back = Promise.all([next(a.valkey, 'ready'), next(b.valkey, 'ready')])
  await server.start()
  await back
  expect([await a.take('w'), await b.take('w'), await b.take('w')]).toEqual([
    'allowed',
    'allowed',
    'exceeded',
  ])
  expect(a.alone).toHaveLength(3)
})
