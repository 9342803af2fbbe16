import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { askTool } from '../assistant.ts'
import { CALLBACK, letIn, startOverHttp } from '../http-assistant.ts'
import type { TestServer } from '../running-server.ts'
import { dashboardPage } from './dashboard-page.ts'
import { ANALYST, OWNER, PASSWORD, startDashboardServer } from './dashboard-server.ts'
import { flawsOf, seriousViolations } from './page-flaws.ts'

let server: TestServer & { close(): Promise<void> }
/** Public URL: assistants take no other. */
let url: string

beforeAll(async () => {
  server = await startDashboardServer()
  url = `http://localhost:${server.port}`
})
afterAll(async () => {
  await server?.close()
})

async function signIn(page: Page, email: string): Promise<void> {
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').and(page.locator('input')).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

const confirm = (page: Page) => page.getByRole('button', { name: 'Confirm', exact: true })

test('a person lets an assistant in, confirms what it proposes, and disconnects it', async () => {
  const { page } = await dashboardPage(server)
  const open = (path: string) => page.goto(`${url}/dashboard/${path}`)
  const { memory, sentTo } = await startOverHttp(url)
  await page.route(`${CALLBACK}**`, (route) => route.fulfill({ body: 'Welcome back' }))
  await page.goto(sentTo.href)
  await signIn(page, OWNER)
  await page.getByRole('heading', { name: '“Desk assistant” wants to act for you' }).waitFor()
  await page.getByText('a program on this machine (127.0.0.1)').waitFor()
  expect(await flawsOf(page)).toEqual([])
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.getByText('Welcome back').waitFor()
  const client = await letIn(url, memory, new URL(page.url()))
  const entry = { list: 'watch', kind: 'account', value: 'eve', reason: 'Ring', why: 'Forty accounts.' }
  await askTool(client, 'propose_list_entry', entry)
  await askTool(client, 'propose_case', { subject: { type: 'account', value: 'eve' }, why: 'To look at.' })

  await open('d/shop.example/proposals')
  const proposed = page.getByRole('article', { name: 'Add an entry to a list' })
  for (const text of ['watch', 'eve', 'Ring', 'Forty accounts.', '(none)'])
    await proposed.getByText(text).waitFor()
  expect(await seriousViolations(page)).toEqual([])
  await confirm(page).first().click()
  await proposed.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Decline' }).click()
  await page.getByText('Nothing is proposed').waitFor()
  await open('d/shop.example/lists')
  await page.getByRole('cell', { name: 'Ring' }).waitFor()

  await open('account')
  await page.getByText(`${url}/mcp`).waitFor()
  await page.getByRole('button', { name: 'Disconnect Desk assistant' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect', exact: true }).click()
  await page.getByText('None is connected.').waitFor()
  await expect(client.listTools()).rejects.toThrow()
})

test('the page stays where an address is not the assistant’s', async () => {
  const { page } = await dashboardPage(server, { profile: {} })
  const { sentTo } = await startOverHttp(url)
  sentTo.searchParams.set('redirect_uri', 'https://evil.example/')
  await page.goto(sentTo.href)
  await signIn(page, ANALYST)
  await page.getByText('Redirect_uri: not one that the assistant registered.').waitFor()
  expect(await page.getByRole('button', { name: 'Allow' }).count()).toBe(0)
})
