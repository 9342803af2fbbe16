import { launchChromium } from '../test/browsers.ts'
import { startPictureServer } from './picture-server.ts'

/** Takes the screenshots of the dashboard for the guide. */
const imagePath = (name: string): string => new URL(`../docs/images/${name}.png`, import.meta.url).pathname

const server = await startPictureServer()
const { domain, account, requestId } = server

/** To add a page, add a line: file name, address, and a text that appears once the page has loaded. */
const PICTURES = [
  { name: 'dashboard-overview', path: `d/${domain}/overview`, shows: 'Germany' },
  { name: 'dashboard-data', path: `d/${domain}/identifications`, shows: '50 shown' },
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
  { name: 'dashboard-webhooks', path: `d/${domain}/webhooks`, shows: 'backend.example' },
]

const browser = await launchChromium()
try {
  const page = await server.signIn(browser)
  for (const { name, path, shows, fullPage = false } of PICTURES) {
    await page.goto(`${server.root}/${path}`)
    await page.getByText(shows).filter({ visible: true }).first().waitFor()
    await page.screenshot({ path: imagePath(name), fullPage })
  }
} finally {
  await browser.close()
  await server.close()
}
