import { spawn } from 'node:child_process'
import { once } from 'node:events'

export interface Ran {
  ok: boolean
  /** How the program ended: its exit code or the signal. */
  how: string
  /** Standard output and standard error, in order of arrival. */
  output: string
}

/** Runs a program of this workspace until it ends. With `show` its output is also printed as it arrives. */
export async function run(program: string, args: readonly string[], { show = false } = {}): Promise<Ran> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      if (show) process.stdout.write(chunk)
    })
  // Rejects where the program cannot be started.
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null]
  return { ok: code === 0, how: signal === null ? `exit code ${code}` : `ended by ${signal}`, output }
}
