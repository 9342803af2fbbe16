import { spawn } from 'node:child_process'

export interface Ran {
  ok: boolean
  /** How the program ended: its exit code or the signal. */
  how: string
  /** Standard output and standard error, in order of arrival. */
  output: string
}

/** Runs a program of this workspace until it ends. With `show` its output is also printed as it arrives. */
export function run(program: string, args: readonly string[], { show = false } = {}): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString()
        if (show) process.stdout.write(chunk)
      })
    child.on('error', reject)
    child.on('close', (code, signal) =>
      resolve({ ok: code === 0, how: signal === null ? `exit code ${code}` : `ended by ${signal}`, output }),
    )
  })
}
