import type { ReadingValues } from '@inkling/contract'

/**
 * Names that automation tools define. Only ones nobody else would choose: `phantom` is also a wallet, and any
 * page may have a global called `emit`, `spawn`, `driver` or `process`.
 */
const MARKER = new RegExp(
  [
    '^\\$?cdc_', // ChromeDriver's own variables, in the window and in the document
    '^\\$chrome_asyncScriptInfo$',
    '^__\\$webdriver',
    '^__(playwright|pw[A-Z_]|puppeteer|pptr|webdriver|selenium|fxdriver|driver_|nightmare|phantom|stagehand|browser_use)',
    '^_(phantom|Selenium|selenium|WEBDRIVER)',
    '^(callPhantom|callSelenium|calledSelenium|calledPhantom)$',
    '^domAutomation(Controller)?$',
    '^(webdriver|selenium|driver)-evaluate(-response)?$',
    '^(webdriverCommand|ChromeDriverw|fmget_targets|watinExpressionError|watinExpressionResult)$',
  ].join('|'),
)

/** Firefox's old driver and Selenium IDE mark the root element. */
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

/** Most are hidden from enumeration, hence own names rather than keys. */
const markersOf = (object: object): string[] =>
  Object.getOwnPropertyNames(object)
    .filter((name) => MARKER.test(name))
    .map((name) => name.slice(0, 128))
    .slice(0, 100)
