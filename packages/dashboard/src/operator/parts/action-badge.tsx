import type { Band, DecisionAction, DecisionEffect } from '@inkling/contract'
import { StatusBadge } from './badges.tsx'

const TONES: Record<DecisionAction, Band> = {
  allow: 'trusted',
  review: 'rate_limited',
  challenge: 'suspicious',
  deny: 'dangerous',
}

export const ACTION_LABELS: Record<DecisionAction, string> = {
  allow: 'Allow',
  review: 'Review',
  challenge: 'Challenge',
  deny: 'Deny',
}

export const ActionBadge = ({ action, size }: { action: DecisionAction; size?: string }) => (
  <StatusBadge tone={TONES[action]} {...(size !== undefined && { size })}>
    {ACTION_LABELS[action]}
  </StatusBadge>
)

/** What a rule does: its action, or the points that it adds. */
export const EffectBadge = ({ effect }: { effect: DecisionEffect }) =>
  'action' in effect ? (
    <ActionBadge action={effect.action} />
  ) : (
    <span className="one-line">
      {effect.points === 1 ? '+1 point' : `+${effect.points} points`}
      {effect.cap < 100 && `, up to ${effect.cap}`}
    </span>
  )
