import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { uuidBytesOrNil } from '../../src/lib/uuid.ts'
import { domainStore } from '../../src/store/domains/domains.ts'
import type { TestServer } from '../running-server.ts'
import { type Receiver, startWebhookReceiver } from '../webhook-receiver.ts'
import { dashboardPage } from './dashboard-page.ts'
import { ANALYST, startDashboardServer } from './dashboard-server.ts'
import { flawsOf } from './page-flaws.ts'

let server: TestServer & { close(): Promise<void> }
let receiver: Receiver & { close(): void }

beforeAll(async () => {
  receiver = await startWebhookReceiver()
  server = await startDashboardServer()
})
afterAll(async () => {
  await server?.close()
  receiver?.close()
})

const PAGE = 'd/shop.example/alerts'

/** Stores a decision, as `/api/v1/decide` does. */
async function denied(account: string): Promise<void> {
  const { store } = server
  const domain = await domainStore(store.reads).find('shop.example')
  await store.writes
    .insertInto('decisions')
    .values({
      ...{ domain_id: domain?.id ?? 0, request_id: uuidBytesOrNil(randomUUID()), purpose: 'signup' },
      ...{ action: 'deny', account, idempotency_key: null, asked: new Uint8Array(32), client_address: null },
      ...{ question: '{}', answer: '{"rules":[]}', ver: 1, decided_at: Date.now(), stale: null, later: null },
    })
    .execute()
}

test('an owner adds a channel, tests it, adds a rule, sees its alert arrive, mutes it and removes both', async () => {
  const { page, enter, open } = await dashboardPage(server)
  await enter()
  await open(PAGE)
  await page.getByText('No alerts yet').waitFor()
  await page.getByText('No rules yet').waitFor()
  expect(await flawsOf(page)).toEqual([])

  await page.getByRole('button', { name: 'Add a channel' }).click()
  const channel = page.getByRole('dialog', { name: 'Add a channel' })
  await channel.getByText('This installation sends no e-mail yet').waitFor()
  await channel.getByLabel('Name').fill('Pager of the team')
  await channel.getByRole('combobox', { name: 'Kind' }).click()
  await page.getByRole('option', { name: 'Webhook' }).click()
  await channel.getByLabel('URL').fill(receiver.url)
  await channel.getByRole('button', { name: 'Add' }).click()
  await channel.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Send test to Pager of the team' }).click()
  await page.getByText('Pager of the team accepted the test').waitFor()
  expect(JSON.parse((await receiver.count(1))[0]?.body.toString() ?? '')).toMatchObject({
    type: 'alert.test',
  })

  await page.getByRole('button', { name: 'Add a rule' }).click()
  const rule = page.getByRole('dialog', { name: 'Add a rule' })
  await rule.getByLabel('Name').fill('Denied signups')
  await rule.getByRole('combobox', { name: 'Watches' }).click()
  await page.getByRole('option', { name: 'Decisions' }).click()
  await rule.getByRole('combobox', { name: 'Sends to' }).click()
  await page.getByRole('option', { name: 'Pager of the team' }).click()
  await page.keyboard.press('Escape')
  expect(await flawsOf(page)).toEqual([])
  await rule.getByRole('button', { name: 'Add' }).click()
  await rule.waitFor({ state: 'detached' })
  await page.getByText('Decision Deny').waitFor()

  await denied('ann')
  const [, sent] = await receiver.count(2)
  expect(JSON.parse(sent?.body.toString() ?? '')).toMatchObject({
    type: 'alert.opened',
    rule: { name: 'Denied signups' },
    lines: [{ text: 'deny at signup (account ann)' }],
    url: `http://localhost:${server.port}/dashboard/${PAGE}`,
  })
  await expect
    .poll(() => server.store.reads.selectFrom('alert_deliveries').select('sent_at').execute())
    .toMatchObject([{ sent_at: expect.any(Number) }])
  await page.reload()
  const alerts = page.getByRole('region', { name: 'What happened' })
  await alerts.getByRole('link', { name: 'deny at signup (account ann)' }).waitFor()
  await alerts.getByText('sent', { exact: true }).waitFor()
  expect(await flawsOf(page)).toEqual([])

  await page.getByRole('button', { name: 'Mute Denied signups' }).click()
  await page.getByRole('menuitem', { name: 'For an hour' }).click()
  await page.getByText('muted', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Remove Denied signups' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await page.getByText('No rules yet').waitFor()
  await page.getByRole('button', { name: 'Remove Pager of the team' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await page.getByText('No channels yet').waitFor()
})

test('an analyst reads the page and finds nothing to change', async () => {
  const { page, enter, open } = await dashboardPage(server)
  await enter(ANALYST)
  await open(PAGE)
  await page.getByText('No channels yet').waitFor()
  expect(
    await page
      .getByRole('main')
      .getByRole('button', { name: /Add|Send|Remove|Change/ })
      .count(),
  ).toBe(0)
})
