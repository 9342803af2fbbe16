import { afterAll, beforeAll, expect, test } from 'vitest'
import { addUser } from '../../src/auth/users.ts'
import { caseStore } from '../../src/store/cases/cases.ts'
import { domainStore } from '../../src/store/domains/domains.ts'
import { listStore } from '../../src/store/lists/list-entries.ts'
import { sessionStore, userStore } from '../../src/store/users/users.ts'
import type { TestServer } from '../running-server.ts'
import { dashboardPage } from './dashboard-page.ts'
import { OWNER, PASSWORD, startDashboardServer } from './dashboard-server.ts'

/** What is typed and chosen on a page stays with what it is about and with who typed it. */

const SECOND_OWNER = 'second@shop.example'
const LISTS = 'd/shop.example/lists'

let server: TestServer & { close(): Promise<void> }

beforeAll(async () => {
  server = await startDashboardServer()
  const by = { actor: 'test', nowMs: Date.now() }
  await addUser(server.store, { email: SECOND_OWNER, password: PASSWORD, role: 'owner' }, by)
  for (const account of ['ann', 'bob']) await openCase(account)
  for (const [list, value] of [
    ['deny', 'ann'],
    ['deny', 'bob'],
    ['allow', 'crew-17'],
  ] as const)
    await server.store.writes
      .transaction()
      .execute(async (transaction) =>
        listStore(transaction).save(
          await domainId(),
          [{ list, kind: 'account', value, reason: '', expiresAtMs: undefined }],
          { author: 'test', nowMs: Date.now() },
        ),
      )
})
afterAll(async () => {
  await server?.close()
})

const domainId = async (): Promise<number> =>
  (await domainStore(server.store.reads).find('shop.example'))?.id ?? 0

async function openCase(account: string): Promise<void> {
  const domain_id = await domainId()
  const nowMs = Date.now()
  await server.store.writes.transaction().execute((transaction) =>
    caseStore(transaction).add({
      ...{ domain_id, title: `Review of ${account}`, subject_type: 'account', subject_value: account },
      ...({ source: 'person', status: 'open', priority: 'normal' } as const),
      ...{ assignee: null, due_at: nowMs, reviews: 0, outcome: null, opened_by: 'test' },
      ...{ opened_at: nowMs, changed_at: nowMs, closed_at: null },
    }),
  )
}

async function shown(path: string, heading: string) {
  const opened = await dashboardPage(server)
  await opened.enter()
  await opened.open(path)
  await opened.page.getByRole('heading', { level: 1, name: heading }).waitFor()
  return opened.page
}

test('what was chosen for a case is not there on another one', async () => {
  const page = await shown('d/shop.example/cases/1', 'Case 1')
  const decide = page.getByRole('region', { name: 'Decide' })
  const allow = decide.getByRole('radio', { name: 'Allow' })
  await decide.getByLabel('Why').fill('known to us')
  await page.keyboard.press('Control+K')
  await page.getByRole('combobox', { name: 'What to find' }).fill('case 2')
  await page.getByRole('option', { name: 'Case 2' }).first().click()
  await page.getByRole('heading', { level: 1, name: 'Case 2' }).waitFor()
  expect(await decide.getByLabel('Why').inputValue()).toBe('')
  await decide.getByText('Deny', { exact: true }).click()
  await expect.poll(() => allow.isChecked()).toBe(false)
  await page.goBack()
  await page.getByRole('heading', { level: 1, name: 'Case 1' }).waitFor()
  await expect.poll(() => allow.isChecked()).toBe(true)
})

test('a search of a page leaves what is typed beside it, and its total is that of its rows', async () => {
  const page = await shown(LISTS, 'Lists')
  const text = page.getByLabel('A part of the value')
  await text.fill('typed, not searched for')
  const choose = async (list: string, total: string) => {
    await page.getByRole('combobox', { name: 'List' }).click()
    await page.getByRole('option', { name: list }).click()
    await page.getByText(total, { exact: true }).waitFor()
  }
  await choose('Deny', '2 entries')
  await choose('Allow', '1 entry')
  expect(await text.inputValue()).toBe('typed, not searched for')
  // The rows of the first search are shown again without a request.
  await page.goBack()
  await page.getByRole('cell', { name: 'bob', exact: true }).waitFor()
  await page.getByText('2 entries', { exact: true }).waitFor()
})

test('a dialog that is opened again does not show what went wrong before', async () => {
  const page = await shown(LISTS, 'Lists')
  const dialog = page.getByRole('dialog', { name: 'Add an entry' })
  const add = page.getByRole('button', { name: 'Add an entry' })
  await add.click()
  await dialog.getByLabel('Value').fill('no device')
  await dialog.getByRole('button', { name: 'Add' }).click()
  await dialog.getByRole('alert').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'detached' })
  await add.click()
  await dialog.getByLabel('Value').waitFor()
  expect(await dialog.getByRole('alert').count()).toBe(0)
})

test('a number with decimals can be typed', async () => {
  const page = await shown('domains', 'Domains and keys')
  await page.getByLabel('Cost of a false merge').pressSequentially('2.5')
  await page.getByRole('button', { name: 'Save cost' }).click()
  await page.getByText('two devices taken for one are as bad as 2.5 times').waitFor()

  const alerts = await shown('d/shop.example/alerts', 'Alerts')
  await alerts.getByRole('button', { name: 'Add a rule' }).click()
  const rule = alerts.getByRole('dialog', { name: 'Add a rule' })
  await rule.getByLabel('Name').fill('Many more')
  await rule.getByRole('combobox', { name: 'Watches' }).click()
  await alerts.getByRole('option', { name: 'Volume' }).click()
  await rule.getByLabel('Number').fill('')
  await rule.getByLabel('Number').pressSequentially('1.5')
  await rule.getByRole('button', { name: 'Add' }).click()
  await alerts.getByText('More than 1.5 times the usual visits in an hour').waitFor()
})

test('saving a limit changes no other, and one that stops visits asks first', async () => {
  const page = await shown('domains', 'Domains and keys')
  const stored = () =>
    server.store.reads
      .selectFrom('domains')
      .select(['origins', 'disk_budget'])
      .where('name', '=', 'shop.example')
      .executeTakeFirstOrThrow()
  const set = (values: { origins: string } | { stored_bytes: number }) =>
    server.store.writes.updateTable('domains').set(values).where('name', '=', 'shop.example').execute()
  // Somebody else, while the page is open.
  await set({ origins: '["https://other.example"]' })
  const budget = page.getByLabel('Disk budget in MB')
  await budget.fill('5000')
  await page.getByRole('button', { name: 'Save limits' }).click()
  await page.getByText('The limits of shop.example are saved.').first().waitFor()
  expect(await stored()).toEqual({
    origins: '["https://other.example"]',
    disk_budget: 5_000_000_000,
  })
  await page.getByText('https://other.example', { exact: true }).waitFor()

  await set({ stored_bytes: 3_000_000 })
  await page.reload()
  await page.getByText('Stored: about 3 MB').waitFor()
  await budget.fill('2')
  await page.getByRole('button', { name: 'Save limits' }).click()
  const dialog = page.getByRole('dialog', { name: 'Refuse visits of shop.example?' })
  await dialog.getByText('It stores about 3.0 MB already').waitFor()
  expect((await stored()).disk_budget).toBe(5_000_000_000)
  await dialog.getByRole('button', { name: 'Save limits' }).click()
  await expect.poll(async () => (await stored()).disk_budget).toBe(2_000_000)
  await set({ stored_bytes: 0 })
})

test('a tab does nothing more for one user once another has signed in, and shows them nothing of the first', async () => {
  const { page, enter, open } = await dashboardPage(server)
  await enter()
  await open(LISTS)
  await page.getByRole('button', { name: 'Add an entry' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add an entry' })
  await dialog.getByRole('combobox', { name: 'Kind' }).click()
  await page.getByRole('option', { name: 'Account' }).click()
  await dialog.getByLabel('Value').fill('typed by the first')
  await page.waitForLoadState('networkidle')
  // What another tab does: the first user signs out, the second one in.
  const first = await userStore(server.store.reads).findByEmail(OWNER)
  await sessionStore(server.store.writes).removeOfUser(first?.id ?? 0)
  await enter(SECOND_OWNER)

  await dialog.getByRole('button', { name: 'Add' }).click()
  await page.getByRole('button', { name: `Signed in as ${SECOND_OWNER}` }).waitFor()
  await expect.poll(() => new URL(page.url()).pathname).not.toBe(`/dashboard/${LISTS}`)
  await dialog.waitFor({ state: 'detached' })
  const entries = await server.store.reads.selectFrom('list_entries').select('value').execute()
  expect(entries.map(({ value }) => value)).not.toContain('typed by the first')
})
