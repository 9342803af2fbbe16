import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { registerDomain } from '../packages/server/src/auth/register-domain.ts'
import { readConfig } from '../packages/server/src/composition/config.ts'
import { startServer } from '../packages/server/src/composition/start-server.ts'
import { saveDemoKeys } from '../packages/server/src/demo/demo-keys.ts'
import { freePort } from '../packages/server/src/lib/free-port.ts'
import { createLog } from '../packages/server/src/lib/log.ts'
import { openStore } from '../packages/server/src/store/open-store.ts'
import { launchChromium } from '../test/browsers.ts'

/** Takes the screenshot of the demo page for the README, from a real visit to a real server. */
const FILE = new URL('../docs/images/demo.png', import.meta.url).pathname

const directory = await mkdtemp(join(tmpdir(), 'inkling-'))
const store = await openStore({ dataDir: directory })
const keys = await registerDomain(store, 'localhost', Date.now())
await store.close()
if (keys) await saveDemoKeys(directory, keys)

const port = await freePort('127.0.0.1')
const settings = readConfig({ PORT: String(port), DATA_DIR: directory, FEEDS: 'off', TURN_PORT: '0' })
const server = await startServer(settings, createLog('warn'))
const browser = await launchChromium({ args: ['--no-sandbox'] })
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
  await page.goto(server.demoUrl ?? '')
  await page.getByText('Signature verified').waitFor()
  await page.screenshot({ path: FILE })
} finally {
  await browser.close()
  await server.close()
  await rm(directory, { recursive: true, force: true })
}
