/** What evasion scripts commonly set so that Chromium does not report automation. */
export const UNMARKED_ARG = '--disable-blink-features=AutomationControlled'
/** The switch that Puppeteer, Playwright and ChromeDriver set and evasion scripts remove. */
export const MARKING_ARG = '--enable-automation'

/** The user agent of headful Chromium on Linux, for use in headless mode. */
export const HEADFUL_USER_AGENT =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36'
