import { setTimeout as pause } from 'node:timers/promises'
import { chromium, type Page } from 'playwright-core'
import { browserPath, CHROMIUM_ARGS } from '../src/browsers.ts'
import type { Configuration } from '../src/configuration.ts'
import { MARKING_ARG, UNMARKED_ARG } from '../src/unmarked.ts'

const STEPS = 45
let at = { x: 620, y: 380 }

/** A quadratic curve to somewhere on the target, a step in each frame or two. */
async function moveAlong(page: Page, selector: string): Promise<void> {
  const box = await page.locator(selector).boundingBox()
  if (!box) throw new Error(`no ${selector}`)
  const to = {
    x: box.x + box.width * (0.3 + 0.4 * Math.random()),
    y: box.y + box.height * (0.3 + 0.4 * Math.random()),
  }
  const bend = {
    x: (at.x + to.x) / 2 + 80 * (Math.random() - 0.5),
    y: (at.y + to.y) / 2 + 80 * (Math.random() - 0.5),
  }
  const from = at
  for (let step = 1; step <= STEPS; step++) {
    const t = (step / STEPS) ** 0.8
    const on = (a: number, b: number, c: number) => (1 - t) ** 2 * a + 2 * t * (1 - t) * b + t ** 2 * c
    await page.mouse.move(on(from.x, bend.x, to.x), on(from.y, bend.y, to.y))
    await pause(8 + 14 * Math.random())
  }
  at = to
}

export const curvesPlaywright: Configuration = {
  id: 'curves-playwright',
  title: 'Playwright headful on a desktop, flags off: curves of its own, pauses of random length',
  kind: 'automation',
  family: 'curves',
  engine: 'chromium',
  packages: ['playwright-core'],
  display: 'desktop',
  isPrivate: false,
  acts: true,
  async run(visit) {
    const context = await chromium.launchPersistentContext(visit.profile, {
      executablePath: browserPath('chromium'),
      args: [...CHROMIUM_ARGS, UNMARKED_ARG],
      ignoreDefaultArgs: [MARKING_ARG],
      headless: false,
      viewport: null,
    })
    const page = context.pages()[0] ?? (await context.newPage())
    await page.goto(visit.url)
    await visit.measured()
    for (const [selector, text] of [
      ['#name', 'ada'],
      ['#email', 'ada@home.org'],
      ['#join', ''],
    ] as const) {
      await moveAlong(page, selector)
      await page.mouse.down()
      await pause(60 + 50 * Math.random())
      await page.mouse.up()
      for (const key of text) {
        await page.keyboard.press(key, { delay: 50 + 40 * Math.random() })
        await pause(60 + 120 * Math.random())
      }
    }
    await visit.final()
    await context.close()
  },
}
