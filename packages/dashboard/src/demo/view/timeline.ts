import { copyButton } from '../copy-button.ts'
import { type Child, element } from '../element.ts'
import type { Timing, Visit } from '../visit.ts'

const STEPS: readonly { step: keyof Timing; title: string }[] = [
  { step: 'requestId', title: 'Request ID in the page' },
  { step: 'acknowledged', title: 'Scored, stored, acknowledged' },
  { step: 'row', title: 'Row read from History' },
  { step: 'webhook', title: 'Webhook received' },
]

/** The request ID, and each later moment to scale since the agent was called. */
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
      moment('Agent called', 0, longest, settled),
      inOrder(timing).map(({ step, title }) => moment(title, timing[step], longest, settled)),
    ),
  ]
}

/** As they happened; what has not happened yet comes last. */
const inOrder = (timing: Timing) =>
  [...STEPS].sort((a, b) => (timing[a.step] ?? Infinity) - (timing[b.step] ?? Infinity) || 0)

function moment(title: string, atMs: number | undefined, longest: number, settled: boolean): HTMLElement {
  const bar = element('span', { class: 'bar', 'aria-hidden': 'true' })
  const known = atMs !== undefined
  if (known) bar.style.setProperty('--at', `${(100 * atMs) / longest}%`)
  return element(
    'li',
    { class: known ? 'known' : 'unknown' },
    element('span', { class: 'moment' }, title),
    bar,
    element('span', { class: 'ms' }, known ? `${Math.round(atMs)} ms` : settled ? 'not seen' : '…'),
  )
}
