import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

/** What this run has started and what still runs: nothing else is ever ended. */
const running = new Set<ChildProcess>()

process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))

const READY_TIMEOUT_MS = 30_000
const STOP_TIMEOUT_MS = 20_000

export interface Child {
  pid: number
  /** Ends it as a crash would: no handler runs. */
  kill(): Promise<void>
  /** Asks it to stop and waits; after a while it is ended. */
  stop(): Promise<void>
}

/**
 * Starts a Node process and waits until a line of its standard output matches `ready`. Its standard error
 * is shown as it comes.
 */
export async function startNode(
  argv: readonly string[],
  ready: RegExp,
  env: NodeJS.ProcessEnv = process.env,
): Promise<Child> {
  const child = spawn(process.execPath, argv, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  running.add(child)
  const exited = once(child, 'exit').then(() => void running.delete(child))
  await isReady(child, ready, exited)
  if (child.pid === undefined) throw new Error('the process has no ID')
  return {
    pid: child.pid,
    kill: () => end(child, 'SIGKILL', exited),
    stop: () => end(child, 'SIGTERM', exited),
  }
}

async function isReady(child: ChildProcess, ready: RegExp, exited: Promise<void>): Promise<void> {
  if (!child.stdout) throw new Error('standard output is not piped')
  const lines = createInterface({ input: child.stdout })
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  lines.on('line', (line) => ready.test(line) && resolve())
  const timer = setTimeout(() => reject(new Error('the process did not get ready')), READY_TIMEOUT_MS)
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
