import { connect } from 'rebrowser-puppeteer-core'
import type { Configuration } from '../src/configuration.ts'
import { withConnectable } from '../src/drive/connected-browser.ts'

export const connectedRebrowser: Configuration = {
  id: 'connected-rebrowser',
  title: 'rebrowser-puppeteer, connected to a browser on a desktop',
  kind: 'automation',
  family: 'connected',
  engine: 'chromium',
  packages: ['rebrowser-puppeteer-core'],
  display: 'desktop',
  isPrivate: false,
  acts: true,
  run: (visit) =>
    withConnectable(visit.profile, [], async (browserWSEndpoint) => {
      const browser = await connect({ browserWSEndpoint, defaultViewport: null })
      const [page = await browser.newPage()] = await browser.pages()
      await page.goto(visit.url)
      await visit.measured()
      await page.type('#name', 'Ada Lovelace')
      await page.type('#email', 'ada@example.org')
      await page.click('#join')
      await visit.final()
      await browser.disconnect()
    }),
}
