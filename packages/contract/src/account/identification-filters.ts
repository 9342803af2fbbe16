import { z } from 'zod'
import { AGENT_CATEGORIES, AGENT_STANDINGS } from '../agents.ts'
import { BAND_NAMES } from '../bands.ts'
import { DETECTION_FLAGS, type DetectionFlag } from '../detection-flags.ts'
import { Uuid } from '../fields.ts'
import { FindingField, PatternField } from './patterns.ts'

const FLAG_NAMES = DETECTION_FLAGS.map(({ flag }) => flag) as [DetectionFlag, ...DetectionFlag[]]

const Score = z.coerce.number().int().min(0).max(999)
const Label = z.string().max(200)
const Moment = z.iso.datetime({ offset: true })

const VALUES_MAX = 20
/** Each is searched for in the text of every row that is read. */
const SIGNALS_MAX = 5

const several = <Value extends z.ZodType>(value: Value, what: string, max = VALUES_MAX) =>
  z.array(value).min(1).max(max).optional().describe(`${what}; any of up to ${max}`)

/** Filters that take several values, of which a row has to have one. */
const CHOICES = {
  request_id: several(Uuid, 'Exactly this identification'),
  device_id: several(Uuid, 'Exactly this device'),
  visitor_id: several(Uuid, 'Exactly this visitor'),
  session_id: several(Uuid, 'Exactly this session'),
  cookie_id: several(Uuid, 'Exactly this cookie'),
  user_hid: several(z.string().max(1_024), 'Exactly this account'),
  ip: several(
    z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]),
    'This address, or any address of a network such as `2001:db8::/48`',
  ),
  local_ip: several(
    z.ipv4(),
    'Behind this local IPv4 address: the one that the browser leaked, or else the one that the network check saw',
  ),
  band: several(z.enum(BAND_NAMES), 'Band of the score'),
  flag: several(z.enum(FLAG_NAMES), 'With this detection flag'),
  signal: several(
    z.string().regex(/^[a-z0-9_]{1,64}$/, 'the name of a signal'),
    'With a hit of this signal, suppressed or not',
    SIGNALS_MAX,
  ),
  pattern: several(PatternField, 'In an open finding of this pattern'),
  country: several(Label, 'English name; empty for unknown'),
  connection_type: several(Label, 'As in the row'),
  browser: several(Label, 'As in the row'),
  os: several(Label, 'As in the row'),
  device_type: several(Label, 'As in the row'),
  agent_identity: several(
    z.enum(['any', ...AGENT_STANDINGS]),
    'Of a declared agent with this identity; `any` for all declared agents',
  ),
  agent_category: several(z.enum(AGENT_CATEGORIES), 'Of a declared agent of this kind'),
  agent: several(z.string().max(253), 'Of the declared agent with this name'),
}

export type ChoiceName = keyof typeof CHOICES
export const CHOICE_NAMES = Object.keys(CHOICES) as ChoiceName[]

/** How many values a filter or its negation takes. */
export const valuesMax = (name: ChoiceName | `not_${ChoiceName}`): number =>
  name === 'signal' || name === 'not_signal' ? SIGNALS_MAX : VALUES_MAX

type Negated<Shape> = { [Name in keyof Shape & string as `not_${Name}`]: Shape[Name] }

/** The same filters under the names of their negations, of whose values a row may have none. */
const NEGATIONS = Object.fromEntries(
  CHOICE_NAMES.map((name) => [
    `not_${name}`,
    CHOICES[name].describe(`None of these values of \`${name}\`; a row without a value matches`),
  ]),
) as unknown as Negated<typeof CHOICES>

const FILTERS = {
  ...CHOICES,
  score_min: Score.optional().describe('Lowest score'),
  score_max: Score.optional().describe('Highest score'),
  ...NEGATIONS,
  finding: FindingField.optional().describe('In the evidence of the finding with this number'),
  from: Moment.optional().describe('Not before this time'),
  to: Moment.optional().describe('Before this time'),
}

export const IdentificationFilters = z.strictObject(FILTERS)
export type IdentificationFilters = z.infer<typeof IdentificationFilters>

export const IdentificationSearch = IdentificationFilters.extend({
  sort: z
    .enum(['newest', 'oldest', 'riskiest', 'safest'])
    .default('newest')
    .describe('By time, or by score and then by time'),
})
export type IdentificationSearch = z.infer<typeof IdentificationSearch>
