import { bandOf } from '@inkling/sdk'
import { type Child, element } from '../element.ts'
import type { Visit } from '../visit.ts'
import { bandText } from './band-text.ts'

const WAITING: Record<Visit['phase'], string> = {
  starting: 'loading the agent',
  identifying: 'the agent is looking',
  waiting: 'not scored yet',
  scored: '',
  failed: 'unverified',
}

/** The one number of the page, its band, and where it lies between 0 and 100. */
export function scoreView(phase: Visit['phase'], score: number | undefined): Child {
  const label = element('p', { class: 'label' }, 'Risk score')
  if (score === undefined) {
    const tone = phase === 'failed' ? 'none' : 'busy'
    return [
      label,
      element(
        'p',
        { class: 'figure', 'data-tone': tone },
        element('span', { class: 'figure-wait' }, WAITING[phase]),
      ),
      scale(undefined),
    ]
  }
  const band = bandOf(score)
  if (band === 'rate_limited') {
    return [
      label,
      figure(score, bandText(band), band),
      element(
        'p',
        { class: 'score-note' },
        `${score} is not a score. It marks an address that sent more identifications than the ingest limit allows; until the block ends, its visits stay unverified.`,
      ),
    ]
  }
  return [label, figure(score, bandText(band), band), scale(score)]
}

function figure(score: number, text: string, tone: string): HTMLElement {
  return element(
    'p',
    { class: 'figure', 'data-tone': tone },
    element('span', { class: 'figure-number' }, score),
    ' ',
    element('span', { class: 'figure-band' }, text),
  )
}

/** The three bands to scale. It repeats the number, so it is hidden from assistive technology. */
function scale(score: number | undefined): HTMLElement {
  const needle = element('span', { class: 'needle', hidden: score === undefined })
  needle.style.setProperty('left', `${score ?? 0}%`)
  return element(
    'div',
    { class: 'scale', 'aria-hidden': 'true' },
    element(
      'div',
      { class: 'scale-track' },
      element('span', { 'data-tone': 'trusted' }),
      element('span', { 'data-tone': 'suspicious' }),
      element('span', { 'data-tone': 'dangerous' }),
      needle,
    ),
    element(
      'div',
      { class: 'scale-marks' },
      element('span', {}, '0'),
      element('span', {}, '30'),
      element('span', {}, '60'),
      element('span', {}, '100'),
    ),
  )
}
