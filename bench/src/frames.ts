import { parseArgs } from 'node:util'
import type { EntitySummary } from '@inkling/contract/account'
import type { Page } from 'playwright-core'
import { addUser } from '../../packages/server/src/auth/users.ts'
import { domainStore } from '../../packages/server/src/store/domains/domains.ts'
import { openStore } from '../../packages/server/src/store/open-store.ts'
import { launchChromium } from '../../test/browsers.ts'
import { FRAME_MAX_MS, type TracedFrames, traceFrames } from './frames/trace-frames.ts'
import { wideGraph } from './frames/wide-graph.ts'
import { addDomain, startInkling } from './inkling/start-inkling.ts'
import { describeMachine } from './lib/describe-machine.ts'
import { progress } from './lib/progress.ts'
import { scratchFolder } from './lib/scratch.ts'
import { fillOverview } from './overview/fill-overview.ts'

/**
 * Traces what the dashboard draws while somebody scrolls a long table and moves a large graph. Exits with 1 if a frame
 * took too long.
 */
const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '100000' },
    nodes: { type: 'string', default: '5000' },
    seconds: { type: 'string', default: '8' },
  },
})
const [rows, nodes, seconds] = [Number(values.rows), Number(values.nodes), Number(values.seconds)]
const USER = { email: 'bench@bench.example', password: 'correct horse battery' }
/** Of the rows, those that load while the trace runs. */
const LAST_ROWS = 2_000
/** Of a page, after its charts are there. */
const SETTLES_MS = 3_000
/** What scrolls, in the page. */
const BOX = "document.querySelector('[aria-label=Identifications]')"
const WINDOW = { width: 1440, height: 900 }
/** A quick hand on a wheel, and a thumb on the scroll bar. */
const SPEEDS = { read: 3_000, skim: 12_000, fling: 60_000 }

const folder = scratchFolder()
const { domain } = await addDomain({ dataDir: folder }, 'bench.example')
const store = await openStore({ dataDir: folder })
await addUser(store, { ...USER, role: 'owner' }, { actor: 'bench', nowMs: Date.now() })
const domainId = (await domainStore(store.reads).find(domain))?.id ?? 0
await store.close()
fillOverview(folder, domainId, rows)

const server = await startInkling({ dataDir: folder })
const root = `http://127.0.0.1:${server.port}/dashboard`
const browser = await launchChromium()
const traced: Record<string, TracedFrames> = {}
try {
  const page = await browser.newPage({ viewport: WINDOW })
  await signIn(page)
  await scrollRows(page)
  await moveGraph(page)
} finally {
  await browser.close()
  await server.stop()
}
report()

async function signIn(page: Page): Promise<void> {
  await page.goto(`${root}/login`)
  await page.getByLabel('E-mail').fill(USER.email)
  await page.locator('input[name=password]').fill(USER.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'Signed in as' }).waitFor()
}

async function trace(name: string, page: Page, act: () => Promise<unknown>): Promise<void> {
  progress(name)
  traced[name] = await traceFrames(browser, page, act)
}

async function scrollRows(page: Page): Promise<void> {
  await page.goto(`${root}/d/${domain}/identifications`)
  await page.getByRole('region', { name: 'Identifications', exact: true }).waitFor()
  // By script and not by wheel, so that no frame can be drawn without the main thread.
  const scroll = (speed: number, direction: 1 | -1) => () =>
    page.evaluate(`new Promise((done) => {
      const box = ${BOX}
      const from = performance.now()
      let before = from
      const step = (now) => {
        box.scrollTop += ${direction * speed} * (now - before) / 1_000
        before = now
        if (now - from < ${seconds * 1_000}) requestAnimationFrame(step)
        else done()
      }
      requestAnimationFrame(step)
    })`)
  await trace('rows: scrolls while pages load', page, scroll(SPEEDS.skim, 1))
  // Its head is a row as well.
  const loaded = async () => Number(await page.evaluate(`${BOX}.querySelector('table').ariaRowCount`)) - 1
  // Somebody who holds the End key.
  for (let now = 0; now < rows - LAST_ROWS; now = await loaded()) {
    await page.evaluate(`${BOX}.scrollTop = ${BOX}.scrollHeight`)
    await page.waitForTimeout(20)
  }
  await page.evaluate(`${BOX}.scrollTop = ${BOX}.scrollHeight - 20_000`)
  await trace('rows: the last pages load', page, scroll(SPEEDS.skim, 1))
  await trace('rows: reads upwards', page, scroll(SPEEDS.read, -1))
  await trace('rows: skims upwards', page, scroll(SPEEDS.skim, -1))
  await trace('rows: flings upwards', page, scroll(SPEEDS.fling, -1))
  progress(`${await loaded()} rows have loaded`)
}

async function moveGraph(page: Page): Promise<void> {
  const { reads, close } = await openStore({ dataDir: folder })
  const { user_hid } = await reads
    .selectFrom('identifications')
    .select('user_hid')
    .limit(1)
    .executeTakeFirstOrThrow()
  await close()
  await page.route(/\/account\/domains\/[^/]+\/entity\?/, async (route) => {
    const answer = await route.fetch()
    const summary = (await answer.json()) as EntitySummary
    await route.fulfill({ response: answer, json: { ...summary, graph: wideGraph(nodes) } })
  })
  await page.goto(`${root}/d/${domain}/overview`)
  await page.locator('.recharts-bar-rectangle').first().waitFor()
  // The overview draws on for a while, and its frames are not those of the graph.
  await page.waitForTimeout(SETTLES_MS)
  const drawing = page.getByRole('img', { name: 'Drawing of the graph' })
  await trace('graph: opens and is laid out', page, async () => {
    await page.evaluate(
      `history.pushState({}, '', '${new URL(root).pathname}/d/${domain}/entity?type=user_hid&value=${user_hid}'); dispatchEvent(new PopStateEvent('popstate'))`,
    )
    await drawing.waitFor()
    await page.getByText(`${nodes} of ${nodes} identifiers are drawn`).waitFor()
    await page.waitForTimeout(seconds * 1_000)
  })
  await drawing.scrollIntoViewIfNeeded()
  const box = await drawing.boundingBox()
  if (!box) throw new Error('the graph is not drawn')
  const centre = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  await trace('graph: is dragged', page, async () => {
    await page.mouse.move(centre.x, centre.y)
    await page.mouse.down()
    const until = Date.now() + seconds * 1_000
    for (let step = 0; Date.now() < until; step += 1)
      await page.mouse.move(centre.x + 180 * Math.sin(step / 15), centre.y + 120 * Math.cos(step / 15))
    await page.mouse.up()
  })
  await trace('graph: is zoomed', page, async () => {
    const until = Date.now() + seconds * 1_000
    for (let step = 0; Date.now() < until; step += 1) {
      await page.mouse.wheel(0, step % 20 < 10 ? -120 : 120)
      await page.waitForTimeout(50)
    }
  })
  await trace('graph: the pointer moves over it', page, async () => {
    const until = Date.now() + seconds * 1_000
    for (let step = 0; Date.now() < until; step += 1)
      await page.mouse.move(centre.x + 300 * Math.sin(step / 9), centre.y + 150 * Math.cos(step / 7))
  })
}

function report(): void {
  console.log(describeMachine())
  const ms = (value: number) => value.toFixed(1).padStart(8)
  console.log(`${''.padEnd(34)}  frames     p50     p99  longest  over ${FRAME_MAX_MS} ms  busiest`)
  for (const [name, { frames, p50, p99, longest, over, busiest, madeOf }] of Object.entries(traced)) {
    console.log(
      `${name.padEnd(34)}${String(frames).padStart(8)}${ms(p50)}${ms(p99)}${ms(longest)}${String(over).padStart(12)}${ms(busiest)}`,
    )
    console.log(`    longest: ${madeOf.map(([work, spent]) => `${work} ${spent.toFixed(1)}`).join(', ')}`)
  }
  console.log(JSON.stringify({ rows, nodes, traced }))
  if (Object.values(traced).some(({ over }) => over > 0)) process.exitCode = 1
}
