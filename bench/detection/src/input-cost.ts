import { writeFile } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { chromium } from 'playwright-core'
import { describeMachine } from '../../src/lib/describe-machine.ts'
import { progress } from '../../src/lib/progress.ts'
import { browserPath, CHROMIUM_ARGS } from './browsers.ts'
import { inputReport } from './input-cost/input-report.ts'
import { type MoveCost, measureMoves, type Page } from './input-cost/measure-moves.ts'
import { browserVersion } from './report/versions.ts'
import { startService } from './start-service.ts'
import { openTimingSite } from './timing/open-timing-site.ts'

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '6' },
    seconds: { type: 'string', default: '4' },
    rates: { type: 'string', default: '60,125' },
  },
})

const DOCUMENT = new URL('../../../docs/accuracy/agent-input.md', import.meta.url)
const EMPTY_LISTENER = `document.addEventListener('pointermove', () => {}, { capture: true, passive: true })`

const [rounds, seconds] = [Number(options.rounds), Number(options.seconds)]
const rates = options.rates.split(',').map(Number)
const [loadAverage = 0] = loadavg()
const service = await startService()
const site = await openTimingSite(new Map())
const browser = await chromium.launch({ executablePath: browserPath('chromium'), args: CHROMIUM_ARGS })
const pages: (Page & { name: string; rounds: MoveCost[][] })[] = [
  { name: 'no listener', agentUrl: '', listeners: 0, rounds: [] },
  { name: 'empty listener', agentUrl: '', listeners: 1, prepare: EMPTY_LISTENER, rounds: [] },
  { name: 'Inkling', agentUrl: service.agentUrl, listeners: 1, rounds: [] },
]
try {
  for (let round = 1; round <= rounds; round++) {
    // Each page comes first in turn, so that warming up meets all alike.
    const order = pages.map((_, index) => pages[(index + round) % pages.length] as (typeof pages)[number])
    for (const page of order) page.rounds.push(await measureMoves(browser, site, page, rates, seconds))
    progress(`${round}/${rounds}`)
  }
} finally {
  await browser.close()
  site.close()
  await service.stop()
}
const report = inputReport({
  version: await browserVersion('chromium'),
  machine: describeMachine(),
  loadAverage: Math.round(loadAverage * 10) / 10,
  at: new Date().toISOString(),
  seconds,
  pages: pages.map(({ name, rounds: costs }) => ({ name, rounds: costs })),
})
await writeFile(DOCUMENT, report)
