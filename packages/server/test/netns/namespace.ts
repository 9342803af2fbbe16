import { type ChildProcess, execFile, type StdioOptions, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { makeDirectory } from '../temporary-store.ts'

/**
 * A separate machine with its own network, processes and mounts. It has no name, so nothing is left behind: closing
 * our end of the pipe ends its first process, and the kernel then ends the others and the network.
 */
export interface Namespace {
  /** Its IPv4 address, the same on all of its connections. */
  address: string
  /** Process ID of its first process, outside the namespace. */
  pid: number
  /** A directory that is removed with it. */
  directory: string
  /** Starts a program in it, which ends with the namespace. */
  start(program: string, args: readonly string[], options: StartOptions): ChildProcess
  /** Commands for `ip`, one per line. */
  ip(...commands: string[]): Promise<void>
  /** Writes under /proc/sys. */
  setSysctl(name: string, value: string | number): Promise<void>
  close(): Promise<void>
}

export interface StartOptions {
  /** Replaces the environment of this process. */
  env?: NodeJS.ProcessEnv
  stdio: StdioOptions
}

const run = promisify(execFile)
const OWN = ['--net', '--pid', '--fork', '--kill-child', '--mount-proc']

/** Why namespaces are not available, for the name of a skipped test; undefined if they are. */
export function whyNoNamespaces(): string | undefined {
  if (!existsSync('/dev/net/tun')) return 'there is no /dev/net/tun'
  const { status, error, stderr } = spawnSync('unshare', [...OWN, 'ip', 'link'], { encoding: 'utf8' })
  if (status === 0) return undefined
  return `network namespaces need root, util-linux and iproute2: ${error?.message ?? stderr.trim()}`
}

/** The result of a program, such as its first message; rejects if the program ends before it. */
export async function first<Result>(program: ChildProcess, coming: Promise<Result>): Promise<Result> {
  const over = new AbortController()
  const gone = once(program, 'exit', { signal: over.signal }).then(() => {
    throw new Error(`${program.spawnargs.join(' ').slice(0, 200)} ended early`)
  })
  try {
    return await Promise.race([coming, gone])
  } finally {
    over.abort()
  }
}

export async function openNamespace(address: string): Promise<Namespace> {
  const holder = spawn('unshare', [...OWN, 'sh', '-c', 'echo open; exec cat'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(holder, 'exit')
  await first(holder, once(holder.stdout, 'data'))
  const children = await readFile(`/proc/${holder.pid}/task/${holder.pid}/children`, 'utf8')
  const pid = Number.parseInt(children, 10)
  const directory = await makeDirectory()
  const network = ['--target', String(pid), '--net']

  const namespace: Namespace = {
    address,
    pid,
    directory: directory.path,
    start: (program, args, { env, stdio }) =>
      spawn('nsenter', [...network, '--pid', '--mount', '--', program, ...args], {
        stdio,
        env: env ?? process.env,
      }),
    async ip(...commands) {
      const child = run('nsenter', [...network, 'ip', '-batch', '-'])
      child.child.stdin?.end(commands.join('\n'))
      await child
    },
    async setSysctl(name, value) {
      await run('nsenter', [...network, 'sh', '-c', 'echo "$1" > "/proc/sys/$0"', name, String(value)])
    },
    async close() {
      holder.stdin.end()
      await ended
      await directory.remove()
    },
  }
  await namespace.ip('link set lo up')
  return namespace
}
