import { access, constants, mkdir, readFile } from 'node:fs/promises'
import type { IpFacts } from '../enrich/ip/ip-facts.ts'
import { createClientAddress } from '../ingest/client-address.ts'

const NODE_MAJOR_MIN = 26
const AGENT_SCRIPT = new URL('../../../agent/dist/agent.js', import.meta.url)

export interface InstallationCheck {
  check: string
  ok: boolean
  detail: string
}

export interface Installation {
  dataDir: string
  trustProxy: readonly string[]
  lookUpIp(address: string): IpFacts
}

/** Whether what the server needs around it is there. */
export const checkInstallation = ({
  dataDir,
  trustProxy,
  lookUpIp,
}: Installation): Promise<InstallationCheck[]> =>
  Promise.all([
    check('node', () => {
      const major = Number(process.versions.node.split('.', 1)[0])
      if (major < NODE_MAJOR_MIN) throw new Error(`${process.version} is older than ${NODE_MAJOR_MIN}`)
      return process.version
    }),
    check('data directory', async () => {
      await mkdir(dataDir, { recursive: true, mode: 0o700 })
      await access(dataDir, constants.W_OK)
      return dataDir
    }),
    check('trusted proxies', () => {
      createClientAddress(trustProxy)
      return trustProxy.join(', ') || 'none'
    }),
    check('agent', async () => `${(await readFile(AGENT_SCRIPT)).byteLength} bytes`),
    check('address data', () => {
      const { country } = lookUpIp('8.8.8.8')
      if (country === '') throw new Error('a well-known address was not found')
      return 'country and network'
    }),
  ])

/** What `run` says, or why it failed. */
export async function check(name: string, run: () => string | Promise<string>): Promise<InstallationCheck> {
  try {
    return { check: name, ok: true, detail: await run() }
  } catch (error) {
    return { check: name, ok: false, detail: error instanceof Error ? error.message : String(error) }
  }
}
