import { DETECTION_FLAGS, PATTERN_CATALOGUE, SIGNAL_CATALOGUE } from '@inkling/contract'
import { BAND_NAMES } from '@inkling/contract/account'
import { BAND_LABELS } from '../../parts/band.tsx'

interface Choice {
  value: string
  label: string
}

/** A filter that is one of a known few, or a text as the row has it. */
export type FilterField =
  | { name: FilterName; label: string; choices: readonly Choice[] }
  | { name: FilterName; label: string; example: string }

type FilterName =
  | 'band'
  | 'signal'
  | 'flag'
  | 'pattern'
  | 'connection_type'
  | 'device_type'
  | 'country'
  | 'browser'
  | 'os'
  | 'score_min'
  | 'score_max'

const words = (name: string): Choice => ({ value: name, label: name.replaceAll('_', ' ') })

/** As the row's description lists them. */
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

export const FILTER_FIELDS: readonly FilterField[] = [
  { name: 'band', label: 'Band', choices: BAND_NAMES.map((value) => ({ value, label: BAND_LABELS[value] })) },
  { name: 'score_min', label: 'Score from', example: '0' },
  { name: 'score_max', label: 'Score to', example: '100' },
  {
    name: 'signal',
    label: 'Signal',
    choices: Object.entries(SIGNAL_CATALOGUE).map(([value, { title }]) => ({ value, label: title })),
  },
  { name: 'flag', label: 'Flag', choices: DETECTION_FLAGS.map(({ flag }) => words(flag)) },
  {
    name: 'pattern',
    label: 'Pattern',
    choices: Object.entries(PATTERN_CATALOGUE).map(([value, { title }]) => ({ value, label: title })),
  },
  { name: 'connection_type', label: 'Connection', choices: CONNECTION_TYPES.map(words) },
  { name: 'device_type', label: 'Device type', choices: DEVICE_TYPES.map(words) },
  { name: 'country', label: 'Country', example: 'Germany' },
  { name: 'browser', label: 'Browser', example: 'Firefox' },
  { name: 'os', label: 'System', example: 'Windows' },
]
