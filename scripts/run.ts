import { spawn } from 'node:child_process'

export interface Ran {
  ok: boolean
  /** Standard output and standard error, in the order they came. */
  output: string
}

/** Runs a program of this workspace to its end. With `show` its output also appears as it comes. */
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
    child.on('close', (code) => resolve({ ok: code === 0, output }))
  })
}
