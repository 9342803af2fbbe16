import { connect } from 'node:net'
import { placeOf } from '../observe/follow/node-links.ts'
import { coldObjects } from '../store/cold/cold-objects.ts'
import { nodeStore } from '../store/nodes.ts'
import type { Store } from '../store/store.ts'

export interface InstallationCheck {
  check: string
  ok: boolean
  /** What was found, or why the check failed. */
  detail: string
}

/** Runs one check; `run` returns the detail, or throws. */
export async function check(name: string, run: () => string | Promise<string>): Promise<InstallationCheck> {
  try {
    return { check: name, ok: true, detail: await run() }
  } catch (error) {
    return { check: name, ok: false, detail: error instanceof Error ? error.message : String(error) }
  }
}

/** Whether the cold storage can be used; nothing where none is set and none is needed. */
export async function checkColdStorage({
  cold,
  jobReads,
}: Pick<Store, 'cold' | 'jobReads'>): Promise<InstallationCheck[]> {
  const { objects, bytes } = await coldObjects(jobReads).totals()
  if (!cold && objects === 0) return []
  return [
    await check('cold storage', async () => {
      if (!cold)
        throw new Error(`${objects} objects have parts of old visits, and COLD_STORAGE_URL is not set`)
      await cold.probe().catch((error: Error) => {
        throw new Error([error.message, causeOf(error)].join(': '), { cause: error })
      })
      return `${objects} objects, ${(bytes / 1e6).toFixed(1)} MB`
    }),
  ]
}

const causeOf = ({ cause }: Error): string => (cause instanceof Error ? cause.message : 'it failed just now')

const REACHED_WITHIN_MS = 2_000

/** Whether this machine reaches every node that runs; nothing where nodes have no addresses. */
export async function checkNodes(
  { reads }: Pick<Store, 'reads'>,
  self: string | undefined,
  nowMs: number,
): Promise<InstallationCheck[]> {
  if (self === undefined) return []
  return [
    await check('nodes', async () => {
      const alive = await nodeStore(reads).alive(nowMs)
      const reached = await Promise.all(alive.map(isReached))
      const missing = alive.filter((_, at) => !reached[at])
      if (missing.length > 0) throw new Error(`cannot be reached: ${missing.join(', ')}`)
      return `${alive.length} running: ${alive.join(', ')}`
    }),
  ]
}

const isReached = (address: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ ...placeOf(address), timeout: REACHED_WITHIN_MS })
    const end = (is: boolean) => {
      socket.destroy()
      resolve(is)
    }
    socket.once('connect', () => end(true))
    socket.once('error', () => end(false))
    socket.once('timeout', () => end(false))
  })

/** Whether Valkey answers; nothing where none is set. */
export async function checkValkey(url: string | undefined): Promise<InstallationCheck[]> {
  if (url === undefined) return []
  return [
    await check('valkey', async () => {
      // Only here, because most commands need no client.
      const { openValkey } = await import('./valkey.ts')
      let failure: unknown
      const client = openValkey(url, (error) => {
        failure = error
      })
      try {
        await new Promise<void>((resolve, reject) => {
          client.once('ready', resolve)
          client.once('close', () => reject(failure))
        })
        return await client.ping().then(() => 'answers')
      } finally {
        client.disconnect()
      }
    }),
  ]
}
