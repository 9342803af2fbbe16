import { mkdir } from 'node:fs/promises'
import { connect } from 'puppeteer-real-browser'
import { browserPath, CHROMIUM_ARGS } from '../src/browsers.ts'
import type { Configuration } from '../src/configuration.ts'

export const puppeteerRealBrowser: Configuration = {
  id: 'puppeteer-real-browser',
  title: 'puppeteer-real-browser, headful on a desktop, with its own clicks',
  kind: 'automation',
  family: 'patched',
  engine: 'chromium',
  packages: ['puppeteer-real-browser'],
  display: 'desktop',
  isPrivate: false,
  acts: true,
  async run(visit) {
    await mkdir(visit.profile, { recursive: true })
    const { browser, page } = await connect({
      args: CHROMIUM_ARGS,
      customConfig: { chromePath: browserPath('chromium'), userDataDir: visit.profile },
      connectOption: { defaultViewport: null },
      disableXvfb: true,
    })
    await page.goto(visit.url)
    await visit.measured()
    // `realClick` is this method without its object, and fails.
    await page.realCursor.click('#name')
    await page.type('#name', 'Ada Lovelace')
    await page.realCursor.click('#email')
    await page.type('#email', 'ada@example.org')
    await page.realCursor.click('#join')
    await visit.final()
    await browser.close()
  },
}
