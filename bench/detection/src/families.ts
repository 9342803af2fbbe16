/**
 * Families of drivers. What is known of a family of the fit half may shape signals. Those of the judge half are run for
 * the report alone: whoever changes a signal runs `--half fit`, and does not look at the other half before the change is
 * done.
 */
export const FAMILIES = {
  puppeteer: { half: 'fit', title: 'Puppeteer, with its own switches and without' },
  playwright: { half: 'fit', title: 'Playwright, with its own switches and without' },
  webdriver: { half: 'fit', title: 'WebDriver: Selenium, and BiDi' },
  patched: { half: 'fit', title: 'Libraries that hide what they are' },
  socket: { half: 'fit', title: 'A debugging socket without a library' },
  curves: { half: 'judge', title: "A person's pace and curves, made by a library" },
  connected: { half: 'judge', title: 'A library that connects to an ordinary browser' },
  assistant: { half: 'judge', title: "An assistant's browser server" },
  frameworks: { half: 'judge', title: 'A framework for tests' },
  extension: { half: 'judge', title: 'A browser extension that acts' },
  claims: { half: 'judge', title: 'Headless, with every claim replaced' },
  devices: { half: 'apart', title: 'Programs at real input devices, and assistive technology' },
} as const

export type Family = keyof typeof FAMILIES
export type Half = (typeof FAMILIES)[Family]['half']
