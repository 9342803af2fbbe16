import { createCursor } from 'ghost-cursor'
import { connect } from 'puppeteer-core'
import type { Configuration } from '../src/configuration.ts'
import { withConnectable } from '../src/drive/connected-browser.ts'

const DELAY_MS = 95

export const curvesConnected: Configuration = {
  id: 'curves-connected',
  title: 'Puppeteer connected to a browser on a desktop; ghost-cursor, pauses between keys',
  kind: 'automation',
  family: 'curves',
  engine: 'chromium',
  packages: ['puppeteer-core', 'ghost-cursor'],
  display: 'desktop',
  isPrivate: false,
  acts: true,
  run: (visit) =>
    withConnectable(visit.profile, [], async (browserWSEndpoint) => {
      const browser = await connect({ browserWSEndpoint, defaultViewport: null })
      const [page = await browser.newPage()] = await browser.pages()
      await page.goto(visit.url)
      await visit.measured()
      const cursor = createCursor(page)
      for (const [selector, text] of [
        ['#name', 'ada'],
        ['#email', 'ada@home.org'],
      ] as const) {
        await cursor.click(selector, { waitForClick: DELAY_MS })
        await page.keyboard.type(text, { delay: DELAY_MS })
      }
      await cursor.click('#join', { waitForClick: DELAY_MS })
      await visit.final()
      await browser.disconnect()
    }),
}
