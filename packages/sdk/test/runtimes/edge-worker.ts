import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { onTestFinished, vi } from 'vitest'
import { freePort } from '../../../server/src/lib/free-port.ts'

/** Serves the worker of a project in `workerd`, the runtime of Cloudflare Workers. */
export async function edgeWorker(workerd: string, project: string): Promise<string> {
  const address = `127.0.0.1:${await freePort('127.0.0.1')}`
  const args = ['serve', join(project, 'workerd.capnp'), '--socket-addr', `http=${address}`]
  const child = spawn(join(workerd, 'node_modules/.bin/workerd'), args, { cwd: project, stdio: 'pipe' })
  let errors = ''
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString()
  })
  onTestFinished(async () => {
    child.kill()
    if (child.exitCode === null && child.signalCode === null) await once(child, 'close')
  })
  const url = `http://${address}`
  await vi.waitFor(
    async () => {
      if (child.exitCode !== null) throw new Error(`workerd ended: ${errors}`)
      await fetch(url, { method: 'HEAD' })
    },
    { timeout: 20_000, interval: 50 },
  )
  return url
}
