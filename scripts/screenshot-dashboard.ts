import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addFirstOwner } from '../packages/server/src/auth/first-owner.ts'
import { registerDomain } from '../packages/server/src/auth/register-domain.ts'
import { readConfig } from '../packages/server/src/config.ts'
import { freePort } from '../packages/server/src/lib/free-port.ts'
import { createLog } from '../packages/server/src/lib/log.ts'
import { startServer } from '../packages/server/src/main.ts'
import { openStore } from '../packages/server/src/store/open-store.ts'
import { ROOMY_SETTINGS } from '../packages/server/test/contract/roomy-settings.ts'
import { seedVisits } from '../packages/server/test/dashboard/seed-visits.ts'
import { launchChromium } from '../test/browsers.ts'

/** Takes the README's pictures of the dashboard, of visits that went through a real server. */
const imagePath = (name: string): string => new URL(`../docs/images/${name}.png`, import.meta.url).pathname

const VISITS = 60
const BETWEEN_VISITS_MS = 7 * 60_000

const directory = await mkdtemp(join(tmpdir(), 'inkling-'))
const store = await openStore(directory)
const keys = await registerDomain(store, 'shop.example', Date.now())
const login = await addFirstOwner(store, Date.now())
await store.close()
if (!keys || !login) throw new Error('the new database was not empty')

const port = await freePort('127.0.0.1')
const settings = readConfig({
  ...ROOMY_SETTINGS,
  PORT: String(port),
  DATA_DIR: directory,
  FEEDS: 'off',
  TURN_PORT: 'off',
})
// The visits of one day: the clock ends where it is.
const endMs = Date.now()
let nowMs = endMs
const server = await startServer(settings, createLog('warn'), () => nowMs)
const browser = await launchChromium()
try {
  const visits = await seedVisits({ url: server.address, keys }, VISITS, (index) => {
    nowMs = endMs - (VISITS - index) * BETWEEN_VISITS_MS
  })
  nowMs = endMs
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, locale: 'en-GB' })
  await page.goto(`${server.address}/dashboard/login`)
  await page.getByLabel('E-mail').fill(login.email)
  await page.locator('input[name=password]').fill(login.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('50 shown').waitFor()
  await page.screenshot({ path: imagePath('dashboard-data') })

  const suspect = visits.get('robot-17')?.at(-1) ?? ''
  await page.goto(`${server.address}/dashboard/d/shop.example/identifications/${suspect}`)
  await page.getByRole('region', { name: 'Raw snapshot' }).waitFor()
  await page.screenshot({ path: imagePath('dashboard-identification') })
} finally {
  await browser.close()
  await server.close()
  await rm(directory, { recursive: true, force: true })
}
