import type { Browser, Page } from 'playwright-core'

/** What a page drew while something was done with it. */
export interface TracedFrames {
  frames: number
  /** Between two frames, in milliseconds. */
  p50: number
  p99: number
  longest: number
  /** Frames that took more than `FRAME_MAX_MS`. */
  over: number
  /** The most processor time of the page's main thread in one frame: what no other load on the machine adds to. */
  busiest: number
  /** What the main thread did in the longest frame: milliseconds of its own by kind of work, the most first. */
  madeOf: readonly (readonly [work: string, ms: number])[]
}

export const FRAME_MAX_MS = 50

const CATEGORIES = ['blink.user_timing', 'devtools.timeline', 'disabled-by-default-devtools.timeline']
const MARK = 'bench frame'

interface TraceEvent {
  name: string
  ph: string
  pid: number
  tid: number
  /** Microseconds. */
  ts: number
  dur?: number
  /** Of it, that in which the thread ran. */
  tdur?: number
}

/**
 * Runs `act` while Chromium traces, with a mark in each animation frame. An animation frame runs once for each frame
 * that the page draws, so two marks are as far apart as what the user sees changes.
 */
export async function traceFrames(
  browser: Browser,
  page: Page,
  act: () => Promise<unknown>,
): Promise<TracedFrames> {
  await page.evaluate(`{
    window.benchRuns = true
    const mark = () => { performance.mark('${MARK}'); if (window.benchRuns) requestAnimationFrame(mark) }
    requestAnimationFrame(mark)
  }`)
  await browser.startTracing(page, { categories: CATEGORIES })
  await act()
  const trace = await browser.stopTracing()
  await page.evaluate('window.benchRuns = false')
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] }
  return framesIn(traceEvents)
}

function framesIn(events: readonly TraceEvent[]): TracedFrames {
  const marks = events.filter(({ name }) => name === MARK).sort((a, b) => a.ts - b.ts)
  const [first] = marks
  if (!first) throw new Error('the trace has no frame')
  const frames = marks.slice(1).map(({ ts }, index) => ({ from: marks[index]?.ts ?? ts, to: ts }))
  const lengths = frames.map(({ from, to }) => (to - from) / 1_000).sort((a, b) => a - b)
  const longest = frames.reduce((most, frame) => (frame.to - frame.from > most.to - most.from ? frame : most))
  const onMainThread = events.filter(({ pid, tid }) => pid === first.pid && tid === first.tid)
  const at = (share: number): number => lengths[Math.ceil(share * lengths.length) - 1] ?? Number.NaN
  return {
    frames: lengths.length,
    p50: at(0.5),
    p99: at(0.99),
    longest: at(1),
    over: lengths.filter((ms) => ms > FRAME_MAX_MS).length,
    busiest: Math.max(...frames.map(({ from, to }) => busyIn(onMainThread, from, to))),
    madeOf: workIn(onMainThread, longest.from, longest.to),
  }
}

/** Milliseconds of processor time of the tasks that began in a frame. */
const busyIn = (events: readonly TraceEvent[], from: number, to: number): number =>
  events.reduce(
    (sum, { name, ts, tdur = 0 }) => (name === 'RunTask' && ts >= from && ts < to ? sum + tdur : sum),
    0,
  ) / 1_000

/** Shorter work explains nothing. */
const WORTH_NAMING_MS = 0.5

/** The time that each kind of work took without the work within it. */
function workIn(events: readonly TraceEvent[], from: number, to: number): [string, number][] {
  const works = events
    .flatMap(({ name, ph, ts, dur = 0 }) =>
      ph === 'X' && ts < to && ts + dur > from
        ? [{ name, from: Math.max(ts, from), to: Math.min(ts + dur, to) }]
        : [],
    )
    .sort((a, b) => a.from - b.from || b.to - a.to)
  const own = new Map<string, number>()
  const add = (name: string, us: number) => own.set(name, (own.get(name) ?? 0) + us)
  const around: typeof works = []
  let busy = 0
  for (const work of works) {
    while ((around.at(-1)?.to ?? Number.POSITIVE_INFINITY) <= work.from) around.pop()
    const outer = around.at(-1)
    add(work.name, work.to - work.from)
    if (outer) add(outer.name, work.from - work.to)
    else busy += work.to - work.from
    around.push(work)
  }
  add('waiting', to - from - busy)
  return [...own]
    .map(([name, us]): [string, number] => [name, us / 1_000])
    .filter(([, ms]) => ms >= WORTH_NAMING_MS)
    .sort(([, a], [, b]) => b - a)
}
