import type { Visit } from '../visit.ts'

/** Shared by Puppeteer and its variants. */
export interface PuppeteerPage {
  goto(url: string): Promise<unknown>
  click(selector: string): Promise<void>
  type(selector: string, text: string, options?: { delay?: number }): Promise<void>
}

export interface PuppeteerBrowser {
  newPage(): Promise<PuppeteerPage>
  close(): Promise<void>
}

/** Fills in the form as the documentation of the tool shows. */
export async function drivePuppeteer(
  browser: PuppeteerBrowser,
  visit: Visit,
  openPage: () => Promise<PuppeteerPage> = () => browser.newPage(),
): Promise<void> {
  try {
    const page = await openPage()
    await page.goto(visit.url)
    await visit.measured()
    await page.type('#name', 'Ada Lovelace')
    await page.type('#email', 'ada@example.org')
    await page.click('#join')
    await visit.final()
  } finally {
    await browser.close()
  }
}
