import type { Page } from 'playwright-core'
import type { Visit } from '../visit.ts'

/** Fills in the form as a browser server for language models does: by roles and names, whole texts at once. */
export async function fillInAsAssistant(page: Page, visit: Visit): Promise<void> {
  await page.goto(visit.url)
  await visit.measured()
  await page.getByRole('textbox', { name: 'Name' }).fill('Ada Lovelace')
  await page.getByRole('textbox', { name: 'Email' }).fill('ada@example.org')
  await page.getByRole('button', { name: 'Create account' }).click()
  await visit.final()
}
