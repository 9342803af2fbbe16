import {
  AGENT_CATEGORIES,
  AGENT_STANDINGS,
  BAND_NAMES,
  DETECTION_FLAGS,
  PATTERN_CATALOGUE,
  SIGNAL_CATALOGUE,
} from '@inkling/contract'
import { CHOICE_NAMES, type ChoiceName } from '@inkling/contract/account'
import { timeText, words } from '../../parts/format.tsx'
import { IDENTIFIER_LABELS, type IdentifierType } from '../../parts/identifier.tsx'
import { BAND_LABELS } from '../../parts/score-words.ts'

interface Choice {
  value: string
  label: string
}

/** A filter with fixed choices, or free text that must equal the value in the row. */
export type FilterField = { name: ChoiceName; label: string } & (
  | { choices: readonly Choice[] }
  | { example: string }
)

const choice = (name: string): Choice => ({ value: name, label: words(name) })

/** The values that a History row can have. */
const CONNECTION_TYPES = [
  'direct',
  'mobile',
  'vpn',
  'proxy',
  'tor',
  'privacy_relay',
  'browser_vpn_proxy',
  'unknown',
]
const DEVICE_TYPES = ['desktop', 'mobile', 'tablet', 'unknown']

const IDENTIFIER_NAMES = [
  'user_hid',
  'ip',
  'local_ip',
  'device_id',
  'visitor_id',
  'cookie_id',
  'session_id',
  'request_id',
] as const satisfies readonly (ChoiceName & IdentifierType)[]

/** Of those that are no UUIDs. */
const EXAMPLES: Partial<Record<IdentifierType, string>> = {
  user_hid: 'b7e2f0c4',
  ip: '192.0.2.44 or 192.0.2.0/24',
  local_ip: '192.0.2.44',
}

const titled = (catalogue: Readonly<Record<string, { title: string }>>): Choice[] =>
  Object.entries(catalogue).map(([value, { title }]) => ({ value, label: title }))

/** The filters that take several values. */
export const FILTER_FIELDS: readonly FilterField[] = [
  { name: 'band', label: 'Band', choices: BAND_NAMES.map((value) => ({ value, label: BAND_LABELS[value] })) },
  { name: 'signal', label: 'Signal', choices: titled(SIGNAL_CATALOGUE) },
  { name: 'flag', label: 'Flag', choices: DETECTION_FLAGS.map(({ flag }) => choice(flag)) },
  { name: 'pattern', label: 'Pattern', choices: titled(PATTERN_CATALOGUE) },
  { name: 'connection_type', label: 'Connection', choices: CONNECTION_TYPES.map(choice) },
  { name: 'device_type', label: 'Device type', choices: DEVICE_TYPES.map(choice) },
  { name: 'country', label: 'Country', example: 'Germany' },
  { name: 'browser', label: 'Browser', example: 'Firefox' },
  { name: 'os', label: 'System', example: 'Windows' },
  {
    name: 'agent_identity',
    label: 'Declared agent',
    choices: [{ value: 'any', label: 'any identity' }, ...AGENT_STANDINGS.map(choice)],
  },
  { name: 'agent_category', label: 'Kind of agent', choices: AGENT_CATEGORIES.map(choice) },
  { name: 'agent', label: 'Name of agent', example: 'GPTBot' },
  ...IDENTIFIER_NAMES.map((name) => ({
    name,
    label: IDENTIFIER_LABELS[name],
    example: EXAMPLES[name] ?? '0191e7a0-1111-4222-8333-444455556666',
  })),
]

const fieldOf = (name: string): FilterField | undefined => FILTER_FIELDS.find((field) => field.name === name)

/** The filter whose negation this is; undefined for any other. */
export const negatedName = (name: string): ChoiceName | undefined =>
  CHOICE_NAMES.find((known) => `not_${known}` === name)

const SINGLE_LABELS: Record<string, string> = {
  ...IDENTIFIER_LABELS,
  from: 'From',
  to: 'Before',
  finding: 'Pattern no.',
  score_min: 'Score from',
  score_max: 'Score to',
}

/** What people call a filter, without its negation. */
export const filterLabel = (name: string): string =>
  fieldOf(negatedName(name) ?? name)?.label ?? SINGLE_LABELS[name] ?? name

/** A value of a filter as people read it. */
export function valueLabel(name: string, value: string): string {
  const field = fieldOf(negatedName(name) ?? name)
  if (name === 'from' || name === 'to') return timeText(value)
  if (!field) return value
  if (value === '') return 'unknown'
  const found = 'choices' in field ? field.choices.find((known) => known.value === value) : undefined
  return found?.label ?? value
}
