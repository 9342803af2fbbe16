import { expect, onTestFinished, test } from 'vitest'
import { keptBrowser } from '../../../test/browsers.ts'
import { dashboardPage } from '../../server/test/dashboard/dashboard-page.ts'
import { startDashboardServer } from '../../server/test/dashboard/dashboard-server.ts'
import { pageServer } from '../../server/test/page-server.ts'

test('on an empty server the dashboard waits for the first visit and then links to it', async () => {
  const server = await startDashboardServer({ domain: 'localhost' })
  onTestFinished(server.close)

  const { page, signIn } = await dashboardPage(server)
  await signIn()
  await page.getByText('Waiting for the first identification').waitFor()
  await expect.poll(() => new URL(page.url()).pathname).toBe('/dashboard/d/localhost/integration')
  const snippet = page.getByRole('region', { name: '1. In your page' })
  await expect.poll(() => snippet.textContent()).toContain(server.keys.public_key)

  const visitor = await (await keptBrowser('chromium')).newPage()
  onTestFinished(() => visitor.close())
  await visitor.goto(await pageServer())
  const acknowledged = visitor.waitForResponse((response) => response.url().includes('/snapshot/'))
  const agent = `${server.url}/agent.js?publicKey=${server.keys.public_key}`
  await visitor.evaluate(`import('${agent}').then((agent) =>
    new Promise((resolve) => agent.forceCheckAnonymous({ onInitialized: resolve })))`)
  expect((await acknowledged).status()).toBe(200)

  await page.getByText('Identifications are arriving').waitFor()
  await page.getByRole('link', { name: 'Open it' }).click()
  await page.getByRole('heading', { level: 1, name: 'Identification' }).waitFor()
  await page.getByRole('region', { name: 'Identity' }).getByText('a new device').waitFor()
})
