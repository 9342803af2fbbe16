import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RotatedKey } from '@inkling/contract/account'
import { z } from 'zod'

const DemoKeys = z.object({ domain: z.string(), public_key: z.string(), api_key: z.string() })
export type DemoKeys = z.infer<typeof DemoKeys>

const FILE = 'demo.json'
const OWNER_ONLY = 0o600

/** Stores the demo's keys in the clear, because it needs its API key after a restart. */
export async function saveDemoKeys(
  dataDir: string,
  { domain, public_key, api_key }: DemoKeys,
): Promise<void> {
  const text = JSON.stringify({ domain, public_key, api_key }, null, 2)
  await writeFile(join(dataDir, FILE), `${text}\n`, { mode: OWNER_ONLY })
}

/** Undefined without the file, which means that there is no demo. */
export async function readDemoKeys(dataDir: string): Promise<DemoKeys | undefined> {
  const text = await readFile(join(dataDir, FILE), 'utf8').catch(() => undefined)
  return text === undefined ? undefined : DemoKeys.parse(JSON.parse(text))
}

/** Stores a rotated key of the demo's domain if the demo needs it, which then uses it from the next start on. */
export async function renewDemoKey(
  dataDir: string,
  domain: string,
  kind: RotatedKey['kind'],
  key: string,
): Promise<void> {
  if (kind !== 'public' && kind !== 'api') return
  const keys = await readDemoKeys(dataDir)
  if (keys?.domain === domain) await saveDemoKeys(dataDir, { ...keys, [`${kind}_key`]: key })
}

/** Ends the demo if it uses this domain; a running server keeps its page until it stops. */
export async function forgetDemo(dataDir: string, domain: string): Promise<void> {
  if ((await readDemoKeys(dataDir))?.domain === domain) await rm(join(dataDir, FILE), { force: true })
}
