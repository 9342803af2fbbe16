import { afterAll, beforeAll, expect, test } from 'vitest'
import { addUser } from '../../src/auth/users.ts'
import type { TestServer } from '../running-server.ts'
import { dashboardPage } from './dashboard-page.ts'
import { PASSWORD, startDashboardServer } from './dashboard-server.ts'
import { flawsOf } from './page-flaws.ts'

const EMAIL = 'rita@agency.example'

let server: TestServer & { close(): Promise<void> }
beforeAll(async () => {
  server = await startDashboardServer({ otherDomains: ['other.example'] })
  const by = { actor: 'test', nowMs: Date.now() }
  await addUser(server.store, { email: EMAIL, password: PASSWORD, role: 'member' }, by)
})
afterAll(async () => {
  await server?.close()
})

test('a new person is invited into the domain, chooses a password and sees it alone', async () => {
  const { page, enter, open } = await dashboardPage(server)
  await enter()
  await open('d/shop.example/members')
  await page.getByRole('button', { name: 'Invite somebody new' }).click()
  const inviting = page.getByRole('dialog', { name: 'Invite somebody new' })
  await inviting.getByLabel('E-mail').fill('ivo@agency.example')
  await inviting.getByRole('button', { name: 'Invite' }).click()
  const shown = page.getByRole('dialog', { name: 'Link for ivo@agency.example' })
  const link = await shown.getByText('/dashboard/invitation#').textContent()
  await shown.getByRole('button', { name: 'I have copied it' }).click()
  const waiting = page.getByRole('region', { name: 'Open invitations' })
  await waiting.getByRole('row', { name: 'ivo@agency.example' }).getByText('reviewer').waitFor()
  expect(await flawsOf(page)).toEqual([])

  const ivo = await dashboardPage(server, { profile: {} })
  await ivo.open(`invitation${new URL(link ?? '').hash}`)
  await ivo.page.getByRole('textbox', { name: 'Password' }).fill('seven quiet harbours')
  await ivo.page.getByRole('button', { name: 'Set the password' }).click()
  await ivo.page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await ivo.signIn('ivo@agency.example', 'seven quiet harbours')
  await ivo.page.getByRole('button', { name: 'Signed in as' }).waitFor()
  await ivo.open('d/shop.example/cases')
  await ivo.page.getByText('Nothing waits here').waitFor()
  await ivo.open('d/other.example/cases')
  await ivo.page.getByText('No such domain').waitFor()

  await open('d/shop.example/members')
  await page.getByRole('button', { name: 'Remove ivo@agency.example' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await page.getByText('Nobody has a role in this domain yet').waitFor()
})

test('an invitation is withdrawn once its owner has confirmed it, in the domain and among the users', async () => {
  const { page, enter, open } = await dashboardPage(server)
  const rowOf = (email: string) => page.getByRole('row', { name: email })
  const question = page.getByRole('dialog', { name: 'Withdraw the invitation of' })
  async function withdraw(email: string, answer: string): Promise<void> {
    await page.getByRole('button', { name: `Withdraw the invitation of ${email}` }).click()
    await question.getByRole('button', { name: answer }).click()
    await question.waitFor({ state: 'hidden' })
  }

  await enter()
  await open('d/shop.example/members')
  for (const email of ['ana@agency.example', 'eva@agency.example']) {
    await page.getByRole('button', { name: 'Invite somebody new' }).click()
    const inviting = page.getByRole('dialog', { name: 'Invite somebody new' })
    await inviting.getByLabel('E-mail').fill(email)
    await inviting.getByRole('button', { name: 'Invite' }).click()
    await page.getByRole('button', { name: 'I have copied it' }).click()
    await rowOf(email).waitFor()
  }
  await withdraw('ana@agency.example', 'Cancel')
  await open('d/shop.example/members')
  await rowOf('ana@agency.example').waitFor()
  await withdraw('ana@agency.example', 'Withdraw')
  await rowOf('ana@agency.example').waitFor({ state: 'detached' })

  await open('users')
  await rowOf('eva@agency.example').getByText('reviewer in shop.example').waitFor()
  await page.getByRole('button', { name: 'Withdraw the invitation of eva@agency.example' }).click()
  await question.waitFor()
  expect(await flawsOf(page)).toEqual([])
  await question.getByRole('button', { name: 'Withdraw' }).click()
  await rowOf('eva@agency.example').waitFor({ state: 'detached' })
  await open('d/shop.example/members')
  await page.getByText('Nobody has a role in this domain yet').waitFor()
  expect(await page.getByRole('region', { name: 'Open invitations' }).count()).toBe(0)
})

test('an owner gives, changes and takes a role, and its holder is shown what it reaches and nothing else', async () => {
  const { page, enter, open } = await dashboardPage(server)
  await enter()
  await open('d/shop.example/members')
  await page.getByText('Nobody has a role in this domain yet').waitFor()
  await page.getByRole('button', { name: 'Add a member' }).click()
  const adding = page.getByRole('dialog', { name: 'Add a member' })
  await adding.getByLabel('E-mail').fill('nobody@agency.example')
  await adding.getByRole('button', { name: 'Add' }).click()
  await adding.getByText('No such user.').waitFor()
  await adding.getByLabel('E-mail').fill(EMAIL)
  await adding.getByText('Works on cases, labels').waitFor()
  expect(await flawsOf(page)).toEqual([])
  await adding.getByRole('button', { name: 'Add' }).click()
  const row = page.getByRole('row', { name: EMAIL })
  await row.waitFor()

  const rita = await dashboardPage(server, { profile: {} })
  const links = () => rita.page.getByRole('navigation', { name: 'Pages' }).getByRole('link').allTextContents()
  await rita.enter(EMAIL)
  await rita.open('d/shop.example/cases')
  await rita.page.getByText('Nothing waits here').waitFor()
  expect(await links()).toEqual([
    ...[
      'Overview',
      'Identifications',
      'Cases',
      'Patterns',
      'Proposals',
      'Alerts',
      'Decisions',
      'Decision rules',
      'Lists',
      'Labels',
    ],
    ...['Integration', 'API keys', 'Webhooks', 'Weights and rules', 'Domains and keys'],
  ])
  expect(await rita.page.getByRole('button', { name: 'Assign to me' }).count()).toBe(1)
  await rita.open('d/shop.example/lists')
  await rita.page.getByText('The lists are empty').waitFor()
  expect(await rita.page.getByRole('button', { name: /Add an entry|Import|Export/ }).count()).toBe(0)
  await rita.open('d/shop.example/labels')
  await rita.page.getByText('There are no labels').waitFor()
  await rita.page.getByRole('button', { name: 'Import CSV' }).waitFor()
  expect(await rita.page.getByRole('button', { name: 'Export' }).count()).toBe(0)
  await rita.open('d/other.example/cases')
  await rita.page.getByText('No such domain').waitFor()
  await rita.open('users')
  await rita.page.getByText('Not part of your role').waitFor()

  await row.getByRole('combobox', { name: `Role of ${EMAIL}` }).click()
  await page.getByRole('option', { name: 'integrator' }).click()
  await page.getByText(`${EMAIL} now has the role integrator.`).waitFor()
  await rita.open('')
  await rita.page.getByRole('heading', { name: 'Integration' }).waitFor()
  expect(await links()).toEqual([
    ...['Alerts', 'Integration', 'API keys', 'Webhooks', 'Domains and keys', 'Feeds', 'System health'],
  ])
  await rita.open('d/shop.example/identifications')
  await rita.page.getByText('Not part of your role').waitFor()
  await rita.open('d/shop.example/api-keys')
  await rita.page.getByRole('button', { name: 'Add a key' }).waitFor()
  await rita.open('health')
  await rita.page.getByRole('columnheader', { name: 'p50' }).waitFor()
  // Nothing that counts visits of other domains.
  expect(await rita.page.getByRole('columnheader').allTextContents()).toEqual(['Minute', 'p50', 'p99'])
  expect(await rita.page.getByText(/^(Pending checks|Growth per day|Per second)$/).count()).toBe(0)
  expect(await flawsOf(rita.page)).toEqual([])

  await page.getByRole('button', { name: `Remove ${EMAIL}` }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await page.getByText('Nobody has a role in this domain yet').waitFor()
  await rita.open('d/shop.example/api-keys')
  await rita.page.getByText('No such domain').waitFor()
})
