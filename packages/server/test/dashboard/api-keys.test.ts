import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { getHistory, type TestServer } from '../running-server.ts'
import { dashboardPage } from './dashboard-page.ts'
import { ANALYST, startDashboardServer } from './dashboard-server.ts'
import { flawsOf } from './page-flaws.ts'

let server: TestServer & { close(): Promise<void> }

beforeAll(async () => {
  server = await startDashboardServer()
})
afterAll(async () => {
  await server?.close()
})

const PAGE = 'd/shop.example/api-keys'

test('an owner makes a key, which is shown once, rotates it with an overlap and revokes it; an analyst sees it', async () => {
  const { page, enter, open } = await dashboardPage(server)
  const keyShown = async (): Promise<string> => {
    const dialog = page.getByRole('dialog', { name: 'Key Reports' })
    const key = (await dialog.getByText(/^sec_/).textContent()) ?? ''
    await dialog.getByRole('button', { name: 'I have copied it' }).click()
    await dialog.waitFor({ state: 'detached' })
    return key
  }
  const statusOf = async (key: string) =>
    (await getHistory({ url: server.url, keys: { ...server.keys, api_key: key } }, 'user_hid/nobody')).status

  await enter()
  await open(PAGE)
  await page.getByText('No named keys yet').waitFor()
  await page.getByRole('button', { name: 'Add a key' }).click()
  const adding = page.getByRole('dialog', { name: 'Add a key' })
  await adding.getByLabel('Name').fill('Reports')
  await adding.getByRole('button', { name: 'Add' }).click()
  await adding.getByText('Choose at least one thing that it may do.').waitFor()
  expect(await flawsOf(page)).toEqual([])
  await adding.getByLabel('Search identifications and read explanations').check()
  await adding.getByRole('button', { name: 'Add' }).click()
  const first = await keyShown()
  await vi.waitFor(async () => expect(await statusOf(first)).toBe(200))
  const row = page.getByRole('row', { name: /Reports/ })
  await row.getByText('never used').waitFor()
  expect(await page.content()).not.toContain(first)

  await page.getByRole('button', { name: 'Rotate Reports' }).click()
  const rotating = page.getByRole('dialog', { name: 'Rotate Reports' })
  await rotating.getByRole('button', { name: 'Rotate' }).click()
  const second = await keyShown()
  await row.getByText(/old key until/).waitFor()
  await vi.waitFor(async () => expect(await statusOf(second)).toBe(200))
  expect(await statusOf(first)).toBe(200)

  const analyst = await dashboardPage(server, { profile: {} })
  await analyst.enter(ANALYST)
  await analyst.open(PAGE)
  await analyst.page.getByRole('row', { name: /Reports/ }).waitFor()
  expect(await analyst.page.getByRole('button', { name: /key|Rotate|Revoke/ }).count()).toBe(0)

  await page.getByRole('button', { name: 'Revoke Reports' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await page.getByText('No named keys yet').waitFor()
  await vi.waitFor(async () => expect(await statusOf(second)).toBe(401))
  expect(await statusOf(first)).toBe(401)
})

test('without a clipboard, as over plain HTTP, a copy button selects the text and says how to copy it', async () => {
  const { page, enter, open } = await dashboardPage(server, { profile: {} })
  await page.addInitScript('delete Navigator.prototype.clipboard')
  await enter()
  await open(PAGE)
  await page.getByRole('button', { name: 'Add a key' }).click()
  const adding = page.getByRole('dialog', { name: 'Add a key' })
  await adding.getByLabel('Name').fill('Copied')
  await adding.getByLabel('Search identifications and read explanations').check()
  await adding.getByRole('button', { name: 'Add' }).click()
  const dialog = page.getByRole('dialog', { name: 'Key Copied' })
  const key = await dialog.getByText(/^sec_/).textContent()
  await dialog.getByRole('button', { name: /^Copy/ }).click()
  const text = page.getByLabel('Press Ctrl+C to copy')
  await text.waitFor()
  expect(await text.inputValue()).toBe(key)
  await expect.poll(() => page.evaluate('getSelection().toString()')).toBe(key)
  expect(await flawsOf(page)).toEqual([])

  await page.keyboard.press('Escape')
  await text.waitFor({ state: 'detached' })
  await dialog.getByRole('button', { name: 'I have copied it' }).click()
})
