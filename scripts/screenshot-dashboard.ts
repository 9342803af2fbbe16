import { launchChromium } from '../test/browsers.ts'
import { startPictureServer } from './picture-server.ts'

/** Takes the screenshots of the dashboard for the guide. */
const imagePath = (name: string): string => new URL(`../docs/images/${name}.png`, import.meta.url).pathname

const server = await startPictureServer()
const { domain, account, requestId } = server

interface Picture {
  /** Of the file. */
  name: string
  path: string
  /** A text that appears once the page has loaded. */
  shows: string
  /** The name of a button to press then. */
  press?: string
  fullPage?: boolean
}

/** To add a page, add a line. */
const PICTURES: readonly Picture[] = [
  { name: 'dashboard-overview', path: `d/${domain}/overview`, shows: 'Germany' },
  {
    name: 'dashboard-filters',
    path: `d/${domain}/identifications?country=Germany&country=France&not_browser=Firefox`,
    shows: 'identifications match',
    press: 'Filters',
  },
  {
    name: 'dashboard-identification',
    path: `d/${domain}/identifications/${requestId}`,
    shows: 'Raw snapshot',
  },
  {
    name: 'dashboard-entity',
    path: `d/${domain}/entity?type=user_hid&value=${account}`,
    shows: 'identifiers are drawn',
    fullPage: true,
  },
  { name: 'dashboard-decision-rule', path: `d/${domain}/decision-rules/2`, shows: 'velocity.device' },
  { name: 'dashboard-case', path: `d/${domain}/cases/1`, shows: 'Known of it' },
  { name: 'dashboard-lists', path: `d/${domain}/lists`, shows: 'Our office' },
  { name: 'dashboard-members', path: `d/${domain}/members`, shows: 'noor@shop.example' },
  { name: 'dashboard-users', path: 'users', shows: 'kim@shop.example' },
  { name: 'dashboard-account', path: 'account', shows: 'This browser' },
  { name: 'dashboard-webhooks', path: `d/${domain}/webhooks`, shows: 'backend.example' },
]

const browser = await launchChromium()
try {
  const page = await server.signIn(browser)
  for (const { name, path, shows, press, fullPage = false } of PICTURES) {
    await page.goto(`${server.root}/${path}`)
    await page.getByText(shows).filter({ visible: true }).first().waitFor()
    if (press) await page.getByRole('button', { name: press, exact: true }).click()
    // Open panels are taken whole, not while they still unfold.
    await page.screenshot({ path: imagePath(name), fullPage, animations: 'disabled' })
  }
} finally {
  await browser.close()
  await server.close()
}
