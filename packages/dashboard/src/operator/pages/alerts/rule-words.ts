import { PATTERN_CATALOGUE, type PatternName } from '@inkling/contract'
import type { AlertChannelKind, AlertCondition, AlertSource } from '@inkling/contract/account'
import { ACTION_LABELS } from '../../parts/action-badge.tsx'
import { countText } from '../../parts/format.tsx'

export const SOURCE_LABELS: Record<AlertSource, string> = {
  finding: 'Patterns',
  decision: 'Decisions',
  volume: 'Volume',
  health: 'System health',
}

export const KIND_LABELS: Record<AlertChannelKind, string> = {
  email: 'E-mail',
  slack: 'Slack',
  teams: 'Teams',
  pagerduty: 'PagerDuty',
  webhook: 'Webhook',
}

const OF_LABELS = { identifications: 'visits', dangerous: 'dangerous visits' } as const
const BEGINNINGS = { over: 'More than', under: 'Fewer than', times: 'More than' } as const

/** What a rule watches, as a sentence. */
export function conditionText(when: AlertCondition): string {
  switch (when.source) {
    case 'finding': {
      const which = when.patterns.length === 0 ? 'Any pattern' : when.patterns.map(patternTitle).join('; ')
      return when.grade === 'dangerous' ? `${which}, when dangerous` : which
    }
    case 'decision': {
      const action = when.action === undefined ? 'Any decision' : `Decision ${ACTION_LABELS[when.action]}`
      return when.rule_id === undefined ? action : `${action}, with decision rule ${when.rule_id}`
    }
    case 'volume': {
      const times = when.is === 'times' ? ' times the usual' : ''
      return `${BEGINNINGS[when.is]} ${countText(when.value)}${times} ${OF_LABELS[when.of]} in ${when.within === 'hour' ? 'an hour' : 'a day'}`
    }
    case 'health':
      return when.state === 'problem'
        ? 'A health check has a problem'
        : 'A health check warns or has a problem'
  }
}

export const patternTitle = (name: PatternName): string => PATTERN_CATALOGUE[name].title

type Volume = Extract<AlertCondition, { source: 'volume' }>

/** A condition as it is typed: a number that is not complete yet, such as `2.`, is text. */
export type DraftCondition =
  | Exclude<AlertCondition, Volume>
  | (Omit<Volume, 'value'> & { value: number | string })

export const conditionOf = (draft: DraftCondition): AlertCondition =>
  draft.source === 'volume' ? { ...draft, value: Number(draft.value) } : draft

/** What a new rule of a source watches at first. */
export const FIRST_CONDITIONS: { [Source in AlertSource]: Extract<AlertCondition, { source: Source }> } = {
  finding: { source: 'finding', patterns: [], grade: 'dangerous' },
  decision: { source: 'decision', action: 'deny' },
  volume: { source: 'volume', of: 'identifications', within: 'hour', is: 'times', value: 3 },
  health: { source: 'health', state: 'problem' },
}
