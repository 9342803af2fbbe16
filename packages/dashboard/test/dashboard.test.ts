import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { uuidToText } from '../../server/src/lib/uuid.ts'
import { dashboardPage } from '../../server/test/dashboard/dashboard-page.ts'
import { ANALYST, PASSWORD } from '../../server/test/dashboard/dashboard-server.ts'
import { flawsOf } from '../../server/test/dashboard/page-flaws.ts'
import { type Receiver, startWebhookReceiver } from '../../server/test/webhook-receiver.ts'
import { type PageUnderTest, pagesUnderTest } from './pages.ts'
import { type SeededServer, startSeededServer } from './seeded-server.ts'
import { twoDevicesOf } from './two-devices-of.ts'

let server: SeededServer
let receiver: Receiver & { close(): void }
let rejecting: Receiver & { close(): void }
/** A dangerous identification that was refined, and an account with several devices. */
let requestId: string
let account: string
let devices: [string, string]

beforeAll(async () => {
  receiver = await startWebhookReceiver()
  rejecting = await startWebhookReceiver(() => 500)
  server = await startSeededServer()
  requestId = await aRefinedIdentification()
  account = await aBusyAccount()
  devices = await twoDevicesOf(server.store, account)
}, 400_000)
afterAll(async () => {
  await server?.close()
  receiver?.close()
  rejecting?.close()
})

async function aRefinedIdentification(): Promise<string> {
  const found = await server.store.reads
    .selectFrom('identifications')
    .innerJoin('versions', 'versions.identification_id', 'identifications.id')
    .select('request_id')
    .orderBy('identifications.score', 'desc')
    .executeTakeFirstOrThrow()
  return uuidToText(found.request_id ?? new Uint8Array(16))
}

async function aBusyAccount(): Promise<string> {
  const found = await server.store.reads
    .selectFrom('identifications')
    .select('user_hid')
    .where('user_hid', 'like', 'u%')
    .groupBy('user_hid')
    .orderBy((build) => build.fn.count('device_id').distinct(), 'desc')
    .executeTakeFirstOrThrow()
  return found.user_hid
}

async function signedIn() {
  const shown = await dashboardPage(server)
  await shown.enter()
  return shown
}

const DATA = 'd/shop.example/identifications'
const everyPage = () => pagesUnderTest({ domain: 'shop.example', requestId, account, devices })

/** Waits until a page shows its heading and its data. */
async function arrive(page: Page, { heading, text }: PageUnderTest): Promise<void> {
  await page.getByRole('heading', { level: 1, name: heading }).waitFor()
  await page.getByRole('main').getByText(text).filter({ visible: true }).first().waitFor()
  await expect.poll(() => page.getByRole('status', { name: 'Loading' }).count()).toBe(0)
}

test('a table of a hundred thousand identifications loads its first page', async () => {
  expect(server.identifications).toBeGreaterThan(99_000)
  const { page, open } = await signedIn()
  await open(`${DATA}?sort=riskiest`)
  await page.getByText('50 shown').waitFor()
  await expect.poll(() => page.locator('tbody tr').first().textContent()).toContain('Dangerous')
})

test('a wrong password is reported, and the right one opens the dashboard', async () => {
  const { page, signIn } = await dashboardPage(server)
  await signIn(ANALYST, 'wrong horse')
  await expect.poll(() => page.getByRole('alert').textContent()).toContain('password is wrong')
  await signIn(ANALYST)
  await page.getByRole('button', { name: 'Signed in as' }).waitFor()
})

test('every page shows its data without errors, is accessible in light and dark, and fits a window and a phone', async () => {
  const { page, open } = await signedIn()
  for (const shown of everyPage()) {
    await open(shown.address)
    await arrive(page, shown)
    expect(await flawsOf(page)).toEqual([])
  }
}, 600_000)

/** Presses Tab until the focused element has this name. */
async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const focused = page.locator(':focus')
  for (let pressed = 0; pressed < 60; pressed++) {
    await page.keyboard.press('Tab')
    const current = await focused.evaluateAll(([element]) =>
      element
        ? (element.getAttribute('aria-label') ?? element.getAttribute('name') ?? element.textContent)
        : '',
    )
    if (typeof name === 'string' ? current === name : name.test(current)) return
  }
  throw new Error(`Tab does not reach ${name}`)
}

test('with the keyboard alone one can sign in, skip the navigation, search and open a row', async () => {
  const { page, open } = await dashboardPage(server)
  await open(DATA)
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await page.keyboard.type(ANALYST)
  await tabTo(page, 'password')
  await page.keyboard.type(PASSWORD)
  await page.keyboard.press('Enter')
  await page.getByText('50 shown').waitFor()
  await page.reload()
  await page.getByText('50 shown').waitFor()
  await tabTo(page, 'Skip to content')
  await page.keyboard.press('Enter')
  await tabTo(page, 'Export')
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'CSV' }).waitFor()
  await page.keyboard.press('Escape')
  await tabTo(page, 'Account to search for')
  await page.keyboard.type(account)
  await page.keyboard.press('Enter')
  await expect.poll(() => new URL(page.url()).searchParams.get('user_hid')).toBe(account)
  await expect.poll(() => page.getByText(account, { exact: true }).count()).toBeGreaterThan(1)
  await tabTo(page, /\d{2}:\d{2}/)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Identification', exact: true }).waitFor()
})

test('an identification shows why it is this device, and how its versions differ', async () => {
  const { page, open } = await signedIn()
  await open(`${DATA}/${requestId}`)
  const identity = page.getByRole('region', { name: 'Identity' })
  await identity.getByText('Confidence').waitFor()
  await expect
    .poll(() => identity.textContent())
    .toMatch(/known devices with its system and browser|no other known device/)
  const versions = page.getByRole('region', { name: 'Versions', exact: true })
  await expect.poll(() => versions.getByRole('columnheader').count()).toBe(3)
  await expect.poll(() => versions.getByText('changed', { exact: true }).count()).toBeGreaterThan(0)
})

test('a review is found on the overview, decided with label and list, and taken back, in nine clicks and by keys', async () => {
  const { page, open } = await signedIn()
  await open('d/shop.example/overview')
  await page.getByRole('link', { name: '1 open case' }).click()
  const found = page.getByRole('link', { name: /^1 Review asked for/ })
  await found.waitFor()
  await page.keyboard.press('j')
  await expect.poll(() => found.evaluate((link) => link === document.activeElement)).toBe(true)
  await page.keyboard.press('x')
  await page.getByText('1 case selected').waitFor()
  await page.keyboard.press('a')
  await expect.poll(() => page.getByRole('cell', { name: 'nobody' }).count()).toBe(0)
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keys' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog', { name: 'Keys' }).waitFor({ state: 'detached' })
  await found.click()
  await page.getByRole('heading', { level: 1, name: 'Case 1' }).waitFor()
  const decide = page.getByRole('region', { name: 'Decide' })
  await decide.getByText('Deny', { exact: true }).click()
  await decide.getByRole('combobox', { name: 'Label' }).click()
  await page.getByRole('option', { name: 'fraud' }).click()
  await decide.getByRole('combobox', { name: 'List' }).click()
  await page.getByRole('option', { name: 'Deny' }).click()
  await decide.getByRole('button', { name: 'Decide and close' }).click()
  await page.getByText('Decided: Deny.').waitFor()
  const lists = page.getByRole('region', { name: 'Lists' })
  await lists.getByText('Case 1').waitFor()
  await page.getByRole('button', { name: 'Take back' }).click()
  await decide.waitFor()
  await lists.getByText('It is on no list.').waitFor()
})

test('the graph of an account opens neighbour by neighbour from the keyboard, is filtered, and saved as a picture', async () => {
  const { page, open } = await signedIn()
  await open(`d/shop.example/entity?type=user_hid&value=${account}`)
  const graph = page.getByRole('region', { name: 'Linked identifiers' })
  await graph.getByRole('img', { name: 'Drawing of the graph' }).locator('canvas').first().waitFor()
  await graph.getByRole('button', { name: 'Show as a table' }).press('Enter')
  const nodes = graph.getByRole('region', { name: 'Nodes of the graph' }).locator('tbody tr')
  const before = await nodes.count()
  expect(before).toBeGreaterThan(8)
  // Some neighbours were seen with nothing else.
  const choices = await graph.getByRole('button', { name: /^Choose (Device|IP address) / }).all()
  for (const choice of choices) {
    if ((await nodes.count()) > before) break
    await choice.press('Enter')
    await graph.getByRole('button', { name: 'Open neighbours' }).press('Enter')
    await graph.getByRole('button', { name: 'Open neighbours' }).waitFor({ state: 'detached' })
  }
  expect(await nodes.count()).toBeGreaterThan(before)
  await graph.getByRole('checkbox', { name: 'IP address' }).press('Space')
  await expect.poll(() => graph.getByRole('button', { name: /^Choose IP address / }).count()).toBe(0)
  const download = page.waitForEvent('download')
  await graph.getByRole('button', { name: 'Save as PNG' }).press('Enter')
  const picture = await readFile(await (await download).path())
  expect(picture.subarray(1, 4).toString()).toBe('PNG')
  await graph
    .getByRole('button', { name: /^Choose Device / })
    .first()
    .press('Enter')
  await graph.getByRole('group', { name: 'Chosen identifier' }).getByRole('link').press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Device' }).waitFor()
  await page.getByRole('region', { name: 'Changes', exact: true }).getByText('Compared').waitFor()
})

test('two devices of an account are compared from its page', async () => {
  const { page, open } = await signedIn()
  await open(`d/shop.example/entity?type=user_hid&value=${account}`)
  await page.getByRole('link', { name: 'Compare the first two' }).click()
  const parts = page.getByRole('region', { name: 'Part by part' })
  await parts.getByRole('row', { name: /^Graphics card/ }).waitFor()
  await page.getByLabel('Second device').fill('no ID')
  await page.getByText('Enter a complete UUID of 36 characters.').waitFor()
})

test('an export contains the matching rows', async () => {
  const { count } = await server.store.reads
    .selectFrom('identifications')
    .select((build) => build.fn.countAll<number>().as('count'))
    .where('score', '>=', 60)
    .executeTakeFirstOrThrow()
  const { page, open } = await signedIn()
  await open(`${DATA}?band=dangerous`)
  await page.getByRole('button', { name: 'Export' }).click()
  const download = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'CSV' }).click()
  const lines = (await readFile(await (await download).path(), 'utf8')).trimEnd().split('\r\n')
  expect(lines.length - 1).toBe(count)
})

test('a key is rotated only after the domain has been typed', async () => {
  const { page, open } = await signedIn()
  await open('domains')
  const card = page.getByRole('region', { name: 'rotated.example' })
  await card.getByRole('button', { name: 'Rotate a key' }).click()
  await page.getByRole('menuitem', { name: 'Public key' }).click()
  const rotate = page.getByRole('button', { name: 'Rotate', exact: true })
  await expect.poll(() => rotate.isDisabled()).toBe(true)
  await page.getByLabel('Type rotated.example to confirm').fill('rotated.example')
  await rotate.click()
  await page.getByRole('dialog', { name: 'New key of rotated.example' }).waitFor()
  await page.getByRole('button', { name: 'I have copied it' }).click()
  await expect.poll(() => card.textContent()).not.toContain(server.others[0]?.public_key)
})

test('accounts without signature can be dropped once the domain has a user key', async () => {
  const { page, open } = await signedIn()
  await open('domains')
  const card = page.getByRole('region', { name: 'hooks.example' })
  await card.getByText('no user key yet').waitFor()
  await card.getByRole('button', { name: 'Rotate a key' }).click()
  await page.getByRole('menuitem', { name: 'User key' }).click()
  await page.getByLabel('Type hooks.example to confirm').fill('hooks.example')
  await page.getByRole('button', { name: 'Rotate', exact: true }).click()
  await page.getByRole('dialog', { name: 'New key of hooks.example' }).getByText(/usr_/).waitFor()
  await page.getByRole('button', { name: 'I have copied it' }).click()
  await card.getByRole('switch', { name: 'Signed accounts only' }).click()
  await page.getByRole('button', { name: 'Drop them' }).click()
  await card.getByText('others are dropped').waitFor()
})

test('pages get sealed verdicts once there is a key, which is shown once', async () => {
  const { page, open } = await signedIn()
  await open('domains')
  const card = page.getByRole('region', { name: 'hooks.example' })
  await card.getByRole('button', { name: 'Make a verdict key' }).click()
  await page.getByRole('button', { name: 'Make', exact: true }).click()
  await page.getByRole('dialog', { name: 'Verdict key of hooks.example' }).getByText('Key ID').waitFor()
  await page.getByRole('button', { name: 'I have copied them' }).click()
  const sealed = card.getByRole('switch', { name: 'Sealed verdicts' })
  await sealed.click()
  await page.getByText('Pages of hooks.example now get sealed verdicts.').waitFor()
  await expect.poll(() => sealed.isChecked()).toBe(true)
  await card.getByRole('button', { name: 'Replace the verdict key' }).waitFor()
})

test('a ping verifies an endpoint that accepts it, and fails one that does not', async () => {
  const { page, open } = await signedIn()
  await open('d/hooks.example/webhooks')
  for (const [url, outcome, state] of [
    [receiver.url, 'Ping accepted', 'verified'],
    [rejecting.url, 'Ping failed', 'last ping failed'],
  ] as const) {
    await page.getByRole('button', { name: 'Add an endpoint' }).click()
    await page.getByLabel('URL').fill(url)
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await expect
      .poll(() => page.getByRole('dialog', { name: 'Signing secret' }).textContent())
      .toContain('whsec_')
    await page.getByRole('button', { name: 'I have copied it' }).click()
    const card = page.getByRole('region', { name: url })
    await card.getByRole('button', { name: 'Verify' }).click()
    await card.getByText(outcome, { exact: true }).waitFor()
    await card.getByText(state, { exact: true }).waitFor()
  }
})

test('the chosen colour scheme survives a reload', async () => {
  const { page, open } = await signedIn()
  await open('account')
  await page.getByText('This browser').waitFor()
  const scheme = () => page.locator('html').getAttribute('data-mantine-color-scheme')
  await expect.poll(scheme).toBe('light')
  await page.getByRole('button', { name: 'Colour scheme' }).click()
  await page.getByRole('menuitem', { name: 'Dark' }).click()
  await expect.poll(scheme).toBe('dark')
  await page.reload()
  await expect.poll(scheme).toBe('dark')
})
