import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { type Browser, chromium, firefox } from 'playwright-core'
import { type BrowserName, findBrowser, playwrightPath, whyMissing } from '../../test/find-browser.ts'
import { type CaptureSite, openCaptureSite } from './capture/open-capture-site.ts'
import { VISITS_TO_CAPTURE, type VisitToCapture } from './capture/visits-to-capture.ts'
import { progress } from './lib/progress.ts'

/** Lets real browsers run the built agent and keeps what it sends: the bodies that the benchmarks replay. */
const BODIES = new URL('../bodies/', import.meta.url)
/** The domain that the benchmarks register. */
const PUBLIC_ORIGIN = 'https://bench.example'

function launch(name: BrowserName): Promise<Browser> {
  const executablePath = findBrowser(name)
  if (executablePath === undefined) throw new Error(`no ${name}: ${whyMissing(name)}`)
  if (name === 'firefox') {
    // Over WebDriver BiDi, unless it is Playwright's own; see test/browsers.ts.
    const own = executablePath === playwrightPath('firefox')
    return firefox.launch({ executablePath, ...(!own && { channel: 'moz-firefox' }) })
  }
  return chromium.launch({
    executablePath,
    // Without the automation flag: most visitors are people, and their bodies are to be scored as such.
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

// Only once all of them are there: a browser that failed must not leave a thinner set.
await mkdir(BODIES, { recursive: true })
for (const old of await readdir(BODIES)) if (old.endsWith('.json')) await rm(new URL(old, BODIES))
for (const [name, text] of captured) await writeFile(new URL(`${name}.json`, BODIES), text)
