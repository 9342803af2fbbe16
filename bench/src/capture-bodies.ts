import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { type Browser, chromium, firefox } from 'playwright-core'
import { type BrowserName, findBrowser, playwrightPath, whyMissing } from '../../test/find-browser.ts'
import { type CaptureSite, openCaptureSite } from './capture/open-capture-site.ts'
import { VISITS_TO_CAPTURE, type VisitToCapture } from './capture/visits-to-capture.ts'
import { progress } from './lib/progress.ts'

/** Runs the built agent in real browsers and saves the bodies that it sends, which the benchmarks replay. */
const BODIES = new URL('../bodies/', import.meta.url)
/** The domain that the benchmarks register. */
const PUBLIC_ORIGIN = 'https://bench.example'

function launch(name: BrowserName): Promise<Browser> {
  const executablePath = findBrowser(name)
  if (executablePath === undefined) throw new Error(`no ${name}: ${whyMissing(name)}`)
  if (name === 'firefox') {
    // Over WebDriver BiDi, except for Playwright's own build; see test/browsers.ts.
    const own = executablePath === playwrightPath('firefox')
    return firefox.launch({ executablePath, ...(!own && { channel: 'moz-firefox' }) })
  }
  return chromium.launch({
    executablePath,
    // Without the automation flag, because most visitors are people and their bodies should get such
    // scores.
    args: ['--no-sandbox', '--enable-unsafe-swiftshader', '--disable-blink-features=AutomationControlled'],
  })
}

async function capture(browser: Browser, visit: VisitToCapture, site: CaptureSite): Promise<string> {
  const context = await browser.newContext(visit.context)
  try {
    const body = site.nextBody()
    const page = await context.newPage()
    await page.goto(`${site.origin}${visit.page}`)
    return (await body).replaceAll(site.origin, PUBLIC_ORIGIN)
  } finally {
    await context.close()
  }
}

const site = await openCaptureSite()
const captured = new Map<string, string>()
for (const name of ['chromium', 'firefox'] as const) {
  const browser = await launch(name)
  for (const visit of VISITS_TO_CAPTURE.filter((wanted) => wanted.browser === name)) {
    const body = await capture(browser, visit, site)
    captured.set(visit.name, `${JSON.stringify(JSON.parse(body), null, 2)}\n`)
    progress(`${visit.name}: ${Buffer.byteLength(body)} bytes`)
  }
  await browser.close()
}
site.close()

// Written only after all browsers succeeded, so that a failure does not leave an incomplete set.
await mkdir(BODIES, { recursive: true })
for (const old of await readdir(BODIES)) if (old.endsWith('.json')) await rm(new URL(old, BODIES))
for (const [name, text] of captured) await writeFile(new URL(`${name}.json`, BODIES), text)
