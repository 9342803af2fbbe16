import type { Explanation } from '@inkling/contract'
import { readableName } from './readable.ts'

type Decision = NonNullable<NonNullable<Explanation['identity']>['decision']>

const OUTCOMES: Record<string, string> = {
  cookie: 'The browser brought a cookie that this device was given.',
  linked: 'The browser brought no known cookie; its facts are those of this device.',
  new: 'It is like no device that was known, or like too many to say which: a new device.',
  separated: 'Its cookie had been taken for another device’s and proved to be of one of its own.',
  cookie_carried_over:
    'It brought a known cookie on other hardware: the cookie was carried over to a new device.',
}

/** The set of outcomes is open: a later server may know more of them. */
export const decisionText = ({ outcome }: Pick<Decision, 'outcome'>): string =>
  OUTCOMES[outcome] ?? `It was decided by: ${readableName(outcome).toLowerCase()}.`

/** Never `100 %`: there is always a rest of doubt. */
export const confidenceText = (confidence: number): string =>
  confidence > 0.999 ? 'over 99.9 %' : `${(confidence * 100).toFixed(1)} %`

export function rarityText({ clones, devices }: Pick<Decision, 'clones' | 'devices'>): string {
  if (devices === 0) return 'no other device with its system and browser was known'
  const all = `of ${devices} known with its system and browser`
  if (clones === 0) return `none ${all} looked the same`
  return `${clones} ${all} looked the same`
}

const COMPONENTS: Record<string, string> = {
  machine: 'Processor and touch',
  model: 'Model and memory',
  gpu: 'Graphics card',
  limits: 'Graphics limits',
  math: 'Maths library',
  settings: 'System settings',
  timezone: 'Time zone',
  address: 'IP address',
  prefix: 'Network of the address',
}

export const componentName = (name: string): string => COMPONENTS[name] ?? readableName(name)
