/** What scripts against detection commonly set: Chromium then no longer says that it is automated. */
export const UNMARKED_ARG = '--disable-blink-features=AutomationControlled'
/** The switch that Puppeteer, Playwright and ChromeDriver set, and such scripts leave out. */
export const MARKING_ARG = '--enable-automation'

/** Chromium's own headful user agent on Linux, for a headless one to borrow. */
export const HEADFUL_USER_AGENT =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36'
