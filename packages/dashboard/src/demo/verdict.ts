import { BANDS, bandOf, SCORED_BANDS } from '@inkling/contract'
import { copyButton } from './code-block.ts'
import { type Child, element } from './element.ts'
import type { Timing, Visit } from './identify-visit.ts'

const WAITING: Record<Visit['phase'], string> = {
  starting: 'loading the agent',
  identifying: 'collecting data',
  waiting: 'not scored yet',
  scored: '',
  failed: 'unverified',
}

/** The score, its band and its position between 0 and 100. */
export function scoreView(phase: Visit['phase'], score: number | undefined): Child {
  const label = element('p', { class: 'label' }, 'Risk score')
  if (score === undefined)
    return [
      label,
      element(
        'p',
        { class: 'figure', 'data-tone': phase === 'failed' ? 'none' : 'busy' },
        element('span', { class: 'figure-wait' }, WAITING[phase]),
      ),
      scale(undefined),
    ]
  if (bandOf(score) === 'rate_limited')
    return [
      label,
      figure(score),
      element(
        'p',
        { class: 'score-note' },
        `${score} is not a score. It means that the address is over the ingest rate limit; until the block ends, treat its visits as unverified.`,
      ),
    ]
  return [label, figure(score), scale(score)]
}

function figure(score: number): HTMLElement {
  const band = bandOf(score)
  return element(
    'p',
    { class: 'figure', 'data-tone': band },
    element('span', { class: 'figure-number' }, score),
    ' ',
    element('span', { class: 'figure-band' }, band.replace('_', ' ')),
  )
}

/** The bands from 0 to 100, drawn to scale. Hidden from screen readers, because it only repeats the score. */
function scale(score: number | undefined): HTMLElement {
  const needle = element('span', { class: 'needle', hidden: score === undefined })
  needle.style.setProperty('left', `${score ?? 0}%`)
  const starts = SCORED_BANDS.map((band) => BANDS[band].from)
  const ends = [...starts.slice(1), BANDS.dangerous.to]
  const columns = starts.map((from, index) => `${(ends[index] ?? from) - from}fr`).join(' ')
  const track = element(
    'div',
    { class: 'scale-track' },
    SCORED_BANDS.map((band) => element('span', { 'data-tone': band })),
    needle,
  )
  const marks = element(
    'div',
    { class: 'scale-marks' },
    [...starts, BANDS.dangerous.to].map((mark) => element('span', {}, mark)),
  )
  track.style.setProperty('grid-template-columns', columns)
  marks.style.setProperty('grid-template-columns', `${columns} auto`)
  return element('div', { class: 'scale', 'aria-hidden': 'true' }, track, marks)
}

const STEPS: readonly { step: keyof Timing; title: string }[] = [
  { step: 'requestId', title: 'Request ID in the page' },
  { step: 'acknowledged', title: 'Scored and stored' },
  { step: 'row', title: 'Row read from History' },
  { step: 'webhook', title: 'Webhook received' },
]

/** The request ID and the time of each step since the agent was called, drawn to scale. */
export function timelineView({ requestId, timing, settled }: Visit): Child {
  const longest = Math.max(1, ...Object.values(timing))
  return [
    element('p', { class: 'label' }, 'Request ID'),
    element(
      'p',
      { class: 'request-id' },
      requestId ? element('code', {}, requestId) : element('span', { class: 'quiet' }, '–'),
      requestId ? copyButton('request ID', requestId) : null,
    ),
    element(
      'ol',
      { class: 'timeline' },
      stepView('Agent called', 0, longest, settled),
      inOrder(timing).map(({ step, title }) => stepView(title, timing[step], longest, settled)),
    ),
  ]
}

/** In the order in which they happened; pending steps come last. */
const inOrder = (timing: Timing) =>
  [...STEPS].sort((a, b) => (timing[a.step] ?? Infinity) - (timing[b.step] ?? Infinity) || 0)

function stepView(title: string, atMs: number | undefined, longest: number, settled: boolean): HTMLElement {
  const bar = element('span', { class: 'bar', 'aria-hidden': 'true' })
  const known = atMs !== undefined
  if (known) bar.style.setProperty('--at', `${(100 * atMs) / longest}%`)
  return element(
    'li',
    { class: known ? 'known' : 'unknown' },
    element('span', { class: 'moment' }, title),
    bar,
    element('span', { class: 'ms' }, known ? `${Math.round(atMs)} ms` : settled ? 'not measured' : '…'),
  )
}
