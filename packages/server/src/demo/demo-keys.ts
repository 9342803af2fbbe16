import { open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { RotatedKey } from '@inkling/contract/account'
import { z } from 'zod'

const DemoKeys = z.object({ domain: z.string(), public_key: z.string(), api_key: z.string() })
export type DemoKeys = z.infer<typeof DemoKeys>

const JsonKeys = z
  .string()
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text)
    } catch {
      context.addIssue('not JSON')
      return z.NEVER
    }
  })
  .pipe(DemoKeys)

const FILE = 'demo.json'
const OWNER_ONLY = 0o600

/** Stores the demo's keys in the clear, because it needs its API key after a restart. */
export async function saveDemoKeys(
  dataDir: string,
  { domain, public_key, api_key }: DemoKeys,
): Promise<void> {
  const text = JSON.stringify({ domain, public_key, api_key }, null, 2)
  const draft = join(dataDir, `${FILE}.${process.pid}`)
  try {
    const file = await open(draft, 'w', OWNER_ONLY)
    try {
      await file.writeFile(`${text}\n`)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draft, join(dataDir, FILE))
  } finally {
    await rm(draft, { force: true })
  }
}

/** Undefined without the file, or with one that is damaged, which means that there is no demo. */
export async function readDemoKeys(dataDir: string): Promise<DemoKeys | undefined> {
  const text = await readFile(join(dataDir, FILE), 'utf8').catch(() => '')
  return JsonKeys.safeParse(text).data
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
