import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Browser, CDPSession } from 'playwright-core'
import type { TimingSite } from '../timing/open-timing-site.ts'

/** Processor time of the page's main thread while the mouse moved, as shares of a core. */
export interface MoveCost {
  /** Times a second that the mouse was moved. */
  rate: number
  /** All that the thread did. */
  task: number
  /** JavaScript alone. */
  script: number
}

export interface Page {
  /** URL of the agent's module; empty for a page without an agent. */
  agentUrl: string
  /** How many listeners for moves the page must have before it is measured. */
  listeners: number
  /** Runs in the page before the mouse moves. */
  prepare?: string
}

/** Late readings and the network check end before the mouse moves. */
const SETTLE_MS = 3_000

/** Loads a page in a new context and moves the mouse over it, at one rate after the other. */
export async function measureMoves(
  browser: Browser,
  site: TimingSite,
  { agentUrl, listeners, prepare }: Page,
  rates: readonly number[],
  seconds: number,
): Promise<MoveCost[]> {
  const context = await browser.newContext()
  try {
    const tab = await context.newPage()
    const load = randomUUID()
    await tab.goto(`${site.origin}/?${new URLSearchParams({ load, mode: 'block', agent: agentUrl })}`)
    await site.result(load)
    if (prepare !== undefined) await tab.evaluate(prepare)
    const session = await context.newCDPSession(tab)
    const found = await countListeners(session)
    if (found !== listeners) throw new Error(`${found} listeners for moves instead of ${listeners}`)
    await wait(SETTLE_MS)
    // Time that the thread was running, so that what else the machine does is not counted.
    await session.send('Performance.enable', { timeDomain: 'threadTicks' })
    const costs: MoveCost[] = []
    for (const rate of rates) costs.push(await measureRate(session, rate, seconds))
    return costs
  } finally {
    await context.close()
  }
}

async function measureRate(session: CDPSession, rate: number, seconds: number): Promise<MoveCost> {
  const before = await readMetrics(session)
  const startedAt = performance.now()
  await moveMouse(session, rate, seconds)
  const after = await readMetrics(session)
  const elapsed = (performance.now() - startedAt) / 1_000
  const share = (name: string): number => ((after.get(name) ?? 0) - (before.get(name) ?? 0)) / elapsed
  return { rate, task: share('TaskDuration'), script: share('ScriptDuration') }
}

/** In a circle, on time: a move does not wait until the one before has been handled. */
async function moveMouse(session: CDPSession, rate: number, seconds: number): Promise<void> {
  const startedAt = performance.now()
  const sent: Promise<unknown>[] = []
  for (let index = 0; index < rate * seconds; index++) {
    await wait(Math.max(0, startedAt + (index * 1_000) / rate - performance.now()))
    const angle = (index / rate) * Math.PI
    const [x, y] = [640 + 300 * Math.cos(angle), 360 + 300 * Math.sin(angle)].map(Math.round)
    sent.push(session.send('Input.dispatchMouseEvent', { type: 'mouseMoved', x: x ?? 0, y: y ?? 0 }))
  }
  await Promise.all(sent)
}

async function readMetrics(session: CDPSession): Promise<Map<string, number>> {
  const { metrics } = await session.send('Performance.getMetrics')
  return new Map(metrics.map(({ name, value }) => [name, value]))
}

async function countListeners(session: CDPSession): Promise<number> {
  const { result } = await session.send('Runtime.evaluate', { expression: 'document' })
  if (result.objectId === undefined) throw new Error('no document')
  const { listeners } = await session.send('DOMDebugger.getEventListeners', { objectId: result.objectId })
  return listeners.filter(({ type }) => type === 'pointermove').length
}
