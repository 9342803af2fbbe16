import type { Explanation } from '@inkling/contract'
import { readableName } from '../../../evidence/plain-words.ts'

type Decision = NonNullable<NonNullable<Explanation['identity']>['decision']>

const OUTCOMES: Record<string, string> = {
  cookie: 'The browser sent a cookie that was set on this device.',
  device_key: 'The browser has the key of this device, though it sent another cookie.',
  linked: 'The browser sent no known cookie, but its properties match this device.',
  new: 'It matches no known device, or too many to choose from: a new device.',
  separated:
    'Its cookie was first assigned to another device, then turned out to belong to a device of its own.',
  cookie_carried_over:
    'It sent a known cookie from different hardware: the cookie was copied to a new device.',
}

const KEY_HISTORIES: Record<string, string> = {
  first: 'a new one',
  same: 'the one that came with this cookie before',
  on_other_cookie: 'a known one, under a new cookie',
  replaced: 'another one than this cookie had; the hardware agrees, so it may have been lost',
  missing: 'none, though this cookie had one; the hardware does not disagree',
  another_machine: 'not the one that this cookie has, and the hardware differs: the cookie was copied',
  copied: 'one that is known from other hardware, as in a browser profile that was moved',
}

export const keyHistoryText = (history: string): string =>
  KEY_HISTORIES[history] ?? readableName(history).toLowerCase()

/** A later server may have outcomes that this page does not know. */
export const decisionText = ({ outcome }: Pick<Decision, 'outcome'>): string =>
  OUTCOMES[outcome] ?? `Decided by: ${readableName(outcome).toLowerCase()}.`

/** Never 100%: some doubt always remains. */
export const confidenceText = (confidence: number): string =>
  confidence > 0.999 ? 'over 99.9%' : `${(confidence * 100).toFixed(1)}%`

export function rarityText({ clones, devices }: Pick<Decision, 'clones' | 'devices'>): string {
  if (devices === 0) return 'no other known device has its system and browser'
  return `${clones === 0 ? 'none' : clones} of ${devices} known devices with its system and browser`
}
