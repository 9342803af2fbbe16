import type { Visit } from '../visit.ts'

/** Shared by Playwright and its variants. */
export interface PlaywrightPage {
  goto(url: string): Promise<unknown>
  click(selector: string): Promise<void>
  locator(selector: string): { pressSequentially(text: string): Promise<void> }
}

interface Closable {
  close(): Promise<void>
}

/** Fills in the form as the documentation of the tool shows. */
export async function drivePlaywright(
  browser: Closable,
  visit: Visit,
  openPage: () => Promise<PlaywrightPage>,
): Promise<void> {
  try {
    const page = await openPage()
    await page.goto(visit.url)
    await visit.measured()
    await page.click('#name')
    await page.locator('#name').pressSequentially('Ada Lovelace')
    await page.click('#email')
    await page.locator('#email').pressSequentially('ada@example.org')
    await page.click('#join')
    await visit.final()
  } finally {
    await browser.close()
  }
}
