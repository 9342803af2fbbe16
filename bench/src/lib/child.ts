import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'

/** Running processes of this benchmark with the signal that ends them. No other process is ever signalled. */
const running = new Map<ChildProcess, NodeJS.Signals>()

process.once('exit', () => {
  for (const [child, signal] of running) child.kill(signal)
  // Waits for them, because their folders are removed next.
  if (running.size > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, END_MS)
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))

const END_MS = 500
const READY_TIMEOUT_MS = 60_000
const STOP_TIMEOUT_MS = 20_000

export interface Child {
  pid: number
  /** Kills it like a crash: no handler runs. */
  kill(): Promise<void>
  /** Asks it to stop and waits; kills it after a timeout. */
  stop(): Promise<void>
}

export interface Program extends SpawnOptions {
  file: string
  argv: readonly string[]
  /** Matches the output line that signals readiness. */
  ready: RegExp
  readyOn: 'stdout' | 'stderr'
  killSignal: NodeJS.Signals
  stopSignal: NodeJS.Signals
}

/**
 * Starts a Node process and waits until a line of its standard output matches `ready`. Its standard error
 * is passed through.
 */
export const startNode = (
  argv: readonly string[],
  ready: RegExp,
  env: NodeJS.ProcessEnv = process.env,
): Promise<Child> =>
  startProgram({
    file: process.execPath,
    argv,
    ready,
    readyOn: 'stdout',
    killSignal: 'SIGKILL',
    stopSignal: 'SIGTERM',
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })

export async function startProgram(program: Program): Promise<Child> {
  const child = spawn(program.file, program.argv, program)
  running.set(child, program.killSignal)
  const exited = once(child, 'exit').then(() => void running.delete(child))
  await isReady(child, child[program.readyOn], program.ready, exited)
  if (child.pid === undefined) throw new Error('the process has no ID')
  return {
    pid: child.pid,
    kill: () => end(child, program.killSignal, exited),
    stop: () => end(child, program.stopSignal, exited),
  }
}

async function isReady(
  child: ChildProcess,
  output: Readable | null,
  ready: RegExp,
  exited: Promise<void>,
): Promise<void> {
  if (!output) throw new Error('the output to watch is not piped')
  const lines = createInterface({ input: output })
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  lines.on('line', (line) => ready.test(line) && resolve())
  const timer = setTimeout(
    () => reject(new Error('the process did not become ready in time')),
    READY_TIMEOUT_MS,
  )
  exited.then(() => reject(new Error(`the process ended with ${child.exitCode}`)), reject)
  try {
    await promise
  } finally {
    clearTimeout(timer)
  }
}

async function end(child: ChildProcess, signal: NodeJS.Signals, exited: Promise<void>): Promise<void> {
  child.kill(signal)
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS)
  await exited
  clearTimeout(timer)
}
