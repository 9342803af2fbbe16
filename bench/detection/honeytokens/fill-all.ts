import { chromium } from 'playwright-core'
import { connect, type Page } from 'puppeteer-core'
import type { Configuration } from '../src/configuration.ts'
import { withConnectable } from '../src/drive/connected-browser.ts'
import { visitInChromium } from '../src/drive/desktop.ts'
import { fillInByHand } from '../src/drive/desktop-input.ts'
import { driveByExtension, extensionArgs } from '../src/drive/extension.ts'
import type { Visit } from '../src/visit.ts'

/** Programs that fill in every field or follow every link, and a form filler that does the former for a person. */
const common = { engine: 'chromium', display: 'desktop', isPrivate: false, acts: true } as const

const byPuppeteer = (id: string, title: string, act: (page: Page) => Promise<unknown>): Configuration => ({
  ...common,
  id,
  title,
  kind: 'automation',
  packages: ['puppeteer-core'],
  run: (visit) =>
    withConnectable(visit.profile, [], async (browserWSEndpoint) => {
      const browser = await connect({ browserWSEndpoint, defaultViewport: null })
      const [page = await browser.newPage()] = await browser.pages()
      await page.goto(visit.url)
      await visit.measured()
      await act(page)
      await visit.final()
      await browser.disconnect()
    }),
})

const typeAll = byPuppeteer('type-all', 'Puppeteer types into every field and clicks', async (page) => {
  for (const field of await page.$$('form input')) await field.type('ada@home.org')
  await page.click('#join')
})

const setAll = byPuppeteer('set-all', 'A script of Puppeteer sets every field and clicks', (page) =>
  page.evaluate(() => {
    for (const field of document.querySelectorAll<HTMLInputElement>('form input'))
      field.value = 'ada@home.org'
    document.querySelector<HTMLElement>('#join')?.click()
  }),
)

const followAll = byPuppeteer(
  'follow-all',
  'Puppeteer opens the address of every link, fills in the form and clicks',
  async (page) => {
    for (const url of await page.$$eval('a', (links) => links.map(({ href }) => href))) await page.goto(url)
    await page.type('#name', 'ada')
    await page.click('#join')
  },
)

const insertAll: Configuration = {
  ...common,
  id: 'insert-all',
  title: 'Playwright fills in every visible field and clicks',
  kind: 'automation',
  packages: ['playwright-core'],
  run: (visit) =>
    withConnectable(visit.profile, [], async (socketUrl) => {
      const browser = await chromium.connectOverCDP(socketUrl)
      const [context] = browser.contexts()
      const page = context?.pages()[0] ?? (await browser.newPage())
      await page.goto(visit.url)
      await visit.measured()
      for (const field of await page.locator('form input:visible').all()) await field.fill('ada@home.org')
      await page.click('#join')
      await visit.final()
    }),
}

const extensionAll: Configuration = {
  ...common,
  id: 'extension-all',
  title: 'An extension whose script sets every field and clicks',
  kind: 'automation',
  run: (visit) => driveByExtension(visit, 'script-all'),
}

const fillerAll: Configuration = {
  ...common,
  id: 'filler-all',
  title: 'Chromium, every field filled in by an extension, sent by the person',
  kind: 'control',
  run: (visit: Visit) =>
    visitInChromium(visit, {
      args: extensionArgs('filler-all'),
      fillIn: () => fillInByHand(visit, { type: async () => {} }),
    }),
}

export const FILL_ALL: readonly Configuration[] = [
  setAll,
  extensionAll,
  typeAll,
  followAll,
  insertAll,
  fillerAll,
]
