import type { ReadingValues } from '@inkling/contract'

/**
 * Names that automation tools define, and that nobody else would choose: `phantom` is also a wallet, and any page may
 * have a global called `emit`, `spawn`, `driver` or `process`. Each was seen in the tool itself (see
 * docs/accuracy/detection.md) or in its source, such as
 * https://github.com/SeleniumHQ/selenium/tree/trunk/javascript and
 * https://source.chromium.org/chromium/chromium/src/+/main:chrome/test/chromedriver/js/. Left out are tools whose browsers
 * are too old to run the agent, such as PhantomJS.
 */
const MARKER = new RegExp(
  [
    // ChromeDriver's variables, in the window and in the document. Plugins of shops have a `cdc_ajax_object`.
    '^\\$?cdc_\\w{22}_',
    // The same where somebody has renamed them in the program itself, which keeps their length.
    '^[a-z]{3}_\\w{22}_(Array|Promise|Symbol)$',
    '^\\$chrome_asyncScriptInfo$',
    '^__(\\$?webdriver|playwright|pw[A-Z_]|puppeteer|pptr|selenium|driver_|stagehand|browser_use)',
    '^domAutomation',
    '^(webdriver|selenium|driver)-evaluate',
  ].join('|'),
)

/** Firefox's old driver and Selenium IDE mark the root element with these. */
const ATTRIBUTES = ['webdriver', 'selenium', 'driver']

export const automation = (): ReadingValues['automation'] => ({
  webdriver: navigator.webdriver === true,
  markers: [
    ...markersOf(window),
    ...markersOf(document).map((name) => `document.${name}`),
    ...ATTRIBUTES.filter((name) => document.documentElement?.hasAttribute(name)).map(
      (name) => `html[${name}]`,
    ),
  ].sort(),
})

/** Most are not enumerable, so this looks at own names rather than keys. */
const markersOf = (object: object): string[] =>
  Object.getOwnPropertyNames(object)
    .filter((name) => MARKER.test(name))
    .map((name) => name.slice(0, 128))
    .slice(0, 100)
