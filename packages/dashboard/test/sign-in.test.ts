import { Secret, TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { from } from '../../server/test/contract/roomy-settings.ts'
import { dashboardPage } from '../../server/test/dashboard/dashboard-page.ts'
import { PASSWORD, startDashboardServer } from '../../server/test/dashboard/dashboard-server.ts'
import { seriousViolations } from '../../server/test/dashboard/page-flaws.ts'
import type { TestServer } from '../../server/test/running-server.ts'

/** The life of a login in a browser: invitation, password, second factor, passkey, proof and sign-out elsewhere. */

const LIMIT_MS = 180_000
const GUEST = 'grace@shop.example'
const CHOSEN = 'seven quiet harbours'

let server: TestServer & { close(): Promise<void> }
let clock: { nowMs: number }
beforeAll(async () => {
  clock = { nowMs: Date.now() }
  server = await startDashboardServer({ now: () => clock.nowMs })
})
afterAll(async () => {
  await server?.close()
})

/** Passkeys belong to `localhost`, not to an address. */
const localhost = () => ({
  baseURL: `http://localhost:${server.port}/dashboard/`,
  extraHTTPHeaders: from('192.0.2.77'),
})

async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.goto(`http://localhost:${server.port}/dashboard/login`)
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').and(page.locator('input')).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

const signedIn = (page: Page) => page.getByRole('button', { name: 'Signed in as' }).waitFor()

const codeOf = (secret: string): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: clock.nowMs })

/** A security key of the browser, driven over its debugging protocol. */
async function virtualAuthenticator(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

test(
  'an invited person joins, adds a second factor and a passkey, and signs in with each',
  async () => {
    const owner = await dashboardPage(server)
    await owner.enter()
    await owner.open('users')
    await owner.page.getByRole('button', { name: 'Invite a user' }).click()
    await owner.page.getByRole('dialog').getByLabel('E-mail').fill(GUEST)
    await owner.page.getByRole('button', { name: 'Invite', exact: true }).click()
    const link = await owner.page.getByRole('dialog').locator('code').textContent()
    await owner.page.getByRole('button', { name: 'I have copied it' }).click()
    await owner.page.getByRole('region', { name: 'Open invitations' }).getByText(GUEST).first().waitFor()

    const { page } = await dashboardPage(server, { profile: localhost() })
    await virtualAuthenticator(page)
    await page.goto(link ?? '')
    await page.getByRole('heading', { name: 'Join Inkling' }).waitFor()
    expect(await seriousViolations(page)).toEqual([])
    await page.getByLabel('Password').and(page.locator('input')).fill('password2026')
    await page.getByRole('button', { name: 'Set the password' }).click()
    await expect
      .poll(() => page.getByRole('alert').textContent())
      .toMatch(/among the first that an attacker tries/)
    await page.getByLabel('Password').and(page.locator('input')).fill(CHOSEN)
    await page.getByRole('button', { name: 'Set the password' }).click()
    await page.getByRole('heading', { name: 'Sign in to Inkling' }).waitFor()
    await signIn(page, GUEST, CHOSEN)
    await signedIn(page)

    // The authenticator app.
    await page.getByRole('button', { name: 'Signed in as' }).click()
    await page.getByRole('menuitem', { name: 'My account' }).click()
    await page.getByRole('heading', { level: 1, name: 'My account' }).waitFor()
    await page.getByRole('button', { name: 'Set up an app' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('img', { name: 'Code for the authenticator app' }).waitFor()
    expect(await seriousViolations(page)).toEqual([])
    const secret = ((await dialog.locator('code').textContent()) ?? '').replaceAll(' ', '')
    await dialog.getByRole('textbox', { name: /^Code/ }).fill(codeOf(secret))
    await dialog.getByRole('button', { name: 'Use this app' }).click()
    await page.getByRole('dialog', { name: 'Recovery codes' }).waitFor()
    await expect.poll(() => page.getByRole('dialog').locator('code').count()).toBe(10)
    await page.getByRole('button', { name: 'I have kept them' }).click()
    await page.getByText('10 codes are left.').waitFor()

    // A passkey, after the proof of the sign-in has grown old.
    clock.nowMs += 300_000
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('laptop')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    const proof = page.getByRole('dialog', { name: 'Confirm who you are' })
    await proof.getByLabel('Your password').fill('wrong horse battery')
    await proof.getByRole('button', { name: 'Confirm' }).click()
    await proof.getByRole('alert').getByText('is wrong').waitFor()
    await proof.getByLabel('Your password').fill(CHOSEN)
    await proof.getByRole('button', { name: 'Confirm' }).click()
    await page.getByRole('region', { name: 'Passkeys' }).getByText('laptop', { exact: true }).waitFor()
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
    expect(await seriousViolations(page)).toEqual([])

    const signOut = async () => {
      await page.getByRole('button', { name: 'Signed in as' }).click()
      await page.getByRole('menuitem', { name: 'Sign out' }).click()
      await page.getByRole('heading', { name: 'Sign in to Inkling' }).waitFor()
    }
    await signOut()
    expect(await seriousViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await signedIn(page)

    // With the password: a wrong code, then a passkey, then a code.
    await signOut()
    await signIn(page, GUEST, CHOSEN)
    await page.getByRole('heading', { name: 'Second step' }).waitFor()
    expect(await seriousViolations(page)).toEqual([])
    await page.getByLabel('Code').fill('000000')
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect.poll(() => page.getByRole('alert').textContent()).toMatch(/code is wrong or was used/)
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await signedIn(page)
    await signOut()
    await signIn(page, GUEST, CHOSEN)
    await page.getByLabel('Code').fill(codeOf(secret))
    await page.getByLabel('Code').press('Enter')
    await signedIn(page)
  },
  LIMIT_MS,
)

test(
  'a user changes the password, which signs them out elsewhere, and ends another session',
  async () => {
    const email = 'analyst@shop.example'
    const { page } = await dashboardPage(server, { profile: localhost(), colorScheme: 'dark' })
    const elsewhere = await dashboardPage(server)
    await elsewhere.signIn(email)
    await signedIn(elsewhere.page)
    await signIn(page, email, PASSWORD)
    await signedIn(page)
    await page.goto(`http://localhost:${server.port}/dashboard/account`)
    await page.getByText('This browser').waitFor()
    expect(await seriousViolations(page)).toEqual([])
    await page.getByRole('button', { name: /^Sign out Chrome/ }).click()
    await page.getByText('The session has ended.').waitFor()
    await elsewhere.open('account')
    await elsewhere.page.getByRole('heading', { name: 'Sign in to Inkling' }).waitFor()

    await page.getByLabel('Current password').fill(PASSWORD)
    await page.getByLabel('New password').fill('another passphrase')
    await page.getByRole('button', { name: 'Change the password' }).click()
    await page.getByText('Your password was changed.').waitFor()
    await elsewhere.signIn(email, PASSWORD)
    await expect.poll(() => elsewhere.page.getByRole('alert').textContent()).toMatch(/password is wrong/)
    await elsewhere.signIn(email, 'another passphrase')
    await signedIn(elsewhere.page)
  },
  LIMIT_MS,
)

test('a link that was used says so', async () => {
  const { page } = await dashboardPage(server, { profile: localhost() })
  await page.goto(`http://localhost:${server.port}/dashboard/invitation#used`)
  await expect
    .poll(() => page.getByRole('alert').textContent())
    .toMatch(/was used, was withdrawn or has expired/)
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'Use a passkey' }).waitFor()
})
