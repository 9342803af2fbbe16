import { DecideAnswer, type DecisionAction, type DecisionPurpose } from '@inkling/contract'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { domainStore } from '../../src/store/domains/domains.ts'
import { listStore } from '../../src/store/lists/list-entries.ts'
import type { TestServer } from '../running-server.ts'
import { dashboardPage } from './dashboard-page.ts'
import { ANALYST, startDashboardServer } from './dashboard-server.ts'
import { flawsOf } from './page-flaws.ts'
import { seedVisits } from './seed-visits.ts'

const RULES = 'd/shop.example/decision-rules'
const NAME = 'Anna has to prove who she is'

let server: TestServer & { close(): Promise<void> }
/** Request IDs of the visits of an account. */
let visitsOf: (account: string) => string[]

beforeAll(async () => {
  server = await startDashboardServer()
  const sent = await seedVisits(server, 24)
  visitsOf = (account) => sent.get(account) ?? []
})
afterAll(async () => {
  await server?.close()
})

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()

async function shown(path: string, name: string, email?: string) {
  const shownPage = await dashboardPage(server)
  await shownPage.enter(email)
  await shownPage.open(path)
  await heading(shownPage.page, name)
  return shownPage
}

/** Asks as a backend does. */
async function decide(requestId: string | undefined, purpose: DecisionPurpose): Promise<DecisionAction> {
  const answer = await fetch(`${server.url}/api/v1/decide`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.keys.api_key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ request_id: requestId, purpose }),
  })
  expect(answer.status).toBe(200)
  return DecideAnswer.parse(await answer.json()).action
}

/** The numbers of today's line: met on, met in shadow, failed. */
const hitsToday = (page: Page): Promise<string[]> =>
  page.getByRole('region', { name: 'Hits by day' }).getByRole('cell').allInnerTexts()

const WRITTEN = { timeout: 20_000 }

test('a person writes a rule, tries it, switches it to shadow, sees its hits and turns it on', async () => {
  const [first, second] = visitsOf('anna')
  const { page, open } = await shown(RULES, 'Decision rules')
  await page.getByText('No rules yet').waitFor()
  await page.getByRole('link', { name: 'New rule' }).click()
  await heading(page, 'New rule')
  await page.getByLabel('Name').fill(NAME)
  const condition = page.getByRole('textbox', { name: 'Condition' })
  await condition.fill('velocity.device.acounts.h24 >= 1')
  await expect
    .poll(() => page.getByRole('alert').allInnerTexts(), WRITTEN)
    .toEqual(['Line 1, column 17: No such key: acounts'])
  await expect.poll(() => page.locator('.cm-lintRange-error').allInnerTexts(), WRITTEN).toEqual(['acounts'])
  await expect.poll(() => page.getByRole('button', { name: 'Save rule' }).isDisabled()).toBe(true)

  await condition.fill('')
  await condition.pressSequentially('acco')
  await page.getByRole('option', { name: 'account text, or null', exact: true }).click()
  await condition.pressSequentially(' == "anna"')
  await expect.poll(() => condition.innerText()).toBe('account == "anna"')
  await expect.poll(() => page.getByRole('alert').count(), WRITTEN).toBe(0)
  await page.getByRole('button', { name: 'Save rule' }).click()
  await heading(page, NAME)

  const tryOut = page.getByRole('region', { name: 'Try out' })
  const outcome = tryOut.getByRole('status', { name: 'Outcome' })
  await tryOut.getByLabel('Request ID').fill(first ?? '')
  await tryOut.getByRole('button', { name: 'Try' }).click()
  await outcome.getByText(`Rule “${NAME}” was met`).waitFor()
  await tryOut.getByLabel('Request ID').fill(visitsOf('ben')[0] ?? '')
  // An outcome stands below the question that it answers, and below no other.
  await outcome.waitFor({ state: 'detached' })
  await tryOut.getByRole('button', { name: 'Try' }).click()
  await outcome.getByText('No rule decides').waitFor()
  await page.getByRole('button', { name: 'Back-test this rule' }).click()
  await page.getByText(`${visitsOf('anna').length} of 24 would be decided otherwise.`).waitFor()

  const state = page.getByRole('radiogroup', { name: `State of ${NAME}` })
  await state.getByText('Shadow').click()
  await page.getByText('Version 2.').waitFor()
  expect(await decide(first, 'signup')).toBe('allow')
  await expect.poll(() => hitsToday(page), WRITTEN).toEqual(['0', '1', '0'])

  await state.getByText('On', { exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Turn on' }).click()
  await page.getByText('Version 3.').waitFor()
  expect(await decide(second, 'login')).toBe('challenge')
  await expect.poll(() => hitsToday(page), WRITTEN).toEqual(['1', '1', '0'])
  expect(await flawsOf(page)).toEqual([])

  await open(`d/shop.example/identifications/${second}`)
  const decisions = page.getByRole('region', { name: 'Decisions' })
  await decisions.getByText('Challenge', { exact: true }).waitFor()
  await decisions.getByText('version 3').waitFor()
  await decisions.getByRole('link', { name: NAME }).click()
  await heading(page, NAME)
}, 120_000)

test('a ready-made set is taken over in shadow; an analyst sees rules and cannot change them', async () => {
  const { page } = await shown(RULES, 'Decision rules')
  await page.getByRole('button', { name: 'Ready-made sets' }).click()
  await page.getByRole('button', { name: 'Add the rules of Scraping' }).click()
  const rules = page.getByRole('region', { name: 'Rules', exact: true })
  await expect
    .poll(() => rules.getByRole('radio', { name: 'Shadow', checked: true }).count())
    .toBeGreaterThan(1)

  const analyst = await shown(RULES, 'Decision rules', ANALYST)
  await analyst.page.getByRole('region', { name: 'Rules', exact: true }).getByText('Shadow').first().waitFor()
  expect(await analyst.page.getByRole('radio').count()).toBe(0)
  expect(await analyst.page.getByRole('link', { name: 'New rule' }).count()).toBe(0)
  expect(await analyst.page.getByRole('button', { name: /Back-test|Try|Save/ }).count()).toBe(0)
})

test('an account is put on a list and labelled on its page, and taken off again', async () => {
  const { page, open } = await shown('d/shop.example/entity?type=user_hid&value=carla', 'Account')
  const velocity = page.getByRole('region', { name: 'Counts of now' })
  await expect
    .poll(() =>
      velocity
        .getByRole('row', { name: /^Visits/ })
        .getByRole('cell')
        .allInnerTexts(),
    )
    .toEqual(['3', '3', '3', '3'])

  const lists = page.getByRole('region', { name: 'Lists', exact: true })
  await lists.getByText('It is on no list.').waitFor()
  await lists.getByRole('button', { name: 'Add to a list' }).click()
  await page.getByLabel('Reason').fill('bought with stolen cards')
  await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click()
  await lists.getByText('bought with stolen cards').waitFor()

  const labels = page.getByRole('region', { name: 'Labels', exact: true })
  await labels.getByRole('button', { name: 'Add a label' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click()
  await labels.getByText('directly').waitFor()
  await labels.getByRole('button', { name: 'Remove the label fraud' }).click()
  await labels.getByText('There are none.').waitFor()

  await open('d/shop.example/lists')
  await heading(page, 'Lists')
  await page.getByRole('button', { name: 'Import CSV' }).click()
  await page.locator('input[type=file]').setInputFiles({
    name: 'lists.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('list,kind,value\ndeny,device,x\nallow,country,QQQ\nallow,account,crew\n'),
  })
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  const wrong = page.getByRole('region', { name: 'Wrong rows' }).getByRole('listitem')
  await expect.poll(() => wrong.allInnerTexts(), WRITTEN).toHaveLength(2)
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Remove carla from deny' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await page.getByText('The lists are empty').waitFor()
})

test('the page of an account has no entry of one that differs in case', async () => {
  await server.store.writes
    .transaction()
    .execute(async (transaction) =>
      listStore(transaction).save(
        (await domainStore(transaction).find('shop.example'))?.id ?? 0,
        [{ list: 'deny', kind: 'account', value: 'Carla', reason: '', expiresAtMs: undefined }],
        { author: 'test', nowMs: Date.now() },
      ),
    )
  const { page } = await shown('d/shop.example/entity?type=user_hid&value=carla', 'Account')
  await page.getByRole('region', { name: 'Lists', exact: true }).getByText('It is on no list.').waitFor()
})
