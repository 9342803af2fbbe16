import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { uuidBytesOrNil } from '../../src/lib/uuid.ts'
import type { TestServer } from '../running-server.ts'
import { dashboardPage } from './dashboard-page.ts'
import { startDashboardServer } from './dashboard-server.ts'
import { seedVisits } from './seed-visits.ts'

let server: TestServer & { close(): Promise<void> }

beforeAll(async () => {
  server = await startDashboardServer()
  const visits = await seedVisits(server, 24)
  // The device of Anna has visits under another name as well.
  await server.store.writes
    .updateTable('identifications')
    .set({ user_hid: 'anna-2' })
    .where('request_id', '=', uuidBytesOrNil(visits.get('anna')?.[0] ?? ''))
    .execute()
})
afterAll(async () => {
  await server?.close()
})

async function privacyOf(account: string) {
  const { page, enter, open } = await dashboardPage(server)
  await enter()
  await open('d/shop.example/privacy')
  await page.getByLabel('Value').fill(account)
  return {
    page,
    dialog: page.getByRole('dialog', { name: 'Erase permanently?' }),
    ask: page.getByRole('button', { name: 'Erase…' }),
  }
}

/** Keeps the next preview on its way until it is let go. */
async function heldPreview(page: Page): Promise<() => Promise<void>> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(
    '**/privacy/erase/preview',
    async (route) => {
      await promise
      await route.continue()
    },
    { times: 1 },
  )
  const answered = page.waitForResponse('**/privacy/erase/preview')
  return async () => {
    resolve()
    await answered
  }
}

test('each further identifier is counted before anything can be erased', async () => {
  const { page, dialog, ask } = await privacyOf('anna')
  await ask.click()
  await dialog.getByText('2 identifications would be erased.').waitFor()
  await page.getByLabel('Type anna to confirm').fill('anna')
  const erase = dialog.getByRole('button', { name: 'Erase', exact: true })
  await expect.poll(() => erase.isEnabled()).toBe(true)
  const release = await heldPreview(page)
  const device = dialog.getByRole('checkbox', { name: /^Device/ })
  await device.check()
  await expect.poll(() => erase.isEnabled()).toBe(false)
  await release()
  await dialog.getByText('3 identifications would be erased.').waitFor()
  await expect.poll(() => erase.isEnabled()).toBe(true)
  await device.uncheck()
  await dialog.getByText('2 identifications would be erased.').waitFor()
})

test('a preview of one person is never shown for another', async () => {
  const { page, dialog, ask } = await privacyOf('anna')
  const release = await heldPreview(page)
  await ask.click()
  await page.getByLabel('Value').fill('carla')
  await release()
  await ask.click()
  await dialog.getByText('3 identifications would be erased.').waitFor()
  await page.getByLabel('Type carla to confirm').waitFor()
})

test('the outcome of an erasure goes once another person is typed', async () => {
  const { page, dialog, ask } = await privacyOf('dora')
  await ask.click()
  await page.getByLabel('Type dora to confirm').fill('dora')
  await dialog.getByRole('button', { name: 'Erase', exact: true }).click()
  const outcome = page.getByText('3 identifications were erased.')
  await outcome.waitFor()
  await page.getByLabel('Value').fill('emil')
  await outcome.waitFor({ state: 'detached' })
})
