import { DETECTION_FLAGS, SIGNAL_CATALOGUE } from '@inkling/contract'
import {
  VELOCITY_COUNTERS,
  VELOCITY_SUBJECTS,
  type Velocity,
  type VelocityCounter,
  type VelocityCounts,
  type VelocitySubject,
  type WindowCounts,
} from '../visit/velocity.ts'
import type { DecisionFacts } from './decision-facts.ts'

/*
 * The facts as conditions see them: their names and types, and their values in the forms of CEL. Whole numbers are
 * CEL's `int`, which JavaScript has as bigint. A type in `dyn<…>` is checked like the type itself, and may be null.
 */

interface FactSchema {
  [name: string]: string | FactSchema
}

const WINDOWS = ['m5', 'h1', 'h24', 'd7'] as const

function each<Name extends string, Value>(
  names: readonly Name[],
  make: (name: Name) => Value,
): Record<Name, Value> {
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Record<Name, Value>
}

export const FACT_SCHEMA: FactSchema = {
  purpose: 'string',
  score: 'int',
  band: 'string',
  signals: each(Object.keys(SIGNAL_CATALOGUE), () => 'dyn<bool>'),
  flags: each(
    DETECTION_FLAGS.map(({ flag }) => flag),
    () => 'bool',
  ),
  evidence: 'dyn<double>',
  identity: {
    outcome: 'dyn<string>',
    confidence: 'dyn<double>',
    is_new_device: 'dyn<bool>',
    clones: 'dyn<int>',
  },
  agent: {
    identity: 'dyn<string>',
    category: 'dyn<string>',
    operator: 'dyn<string>',
    name: 'dyn<string>',
  },
  address: 'dyn<string>',
  country: 'dyn<string>',
  asn: 'dyn<int>',
  connection_type: 'string',
  host: 'string',
  browser: 'string',
  os: 'string',
  device_type: 'string',
  device_id: 'dyn<string>',
  visitor_id: 'dyn<string>',
  cookie_id: 'dyn<string>',
  account: 'dyn<string>',
  address_matches: 'dyn<bool>',
  velocity: each(VELOCITY_SUBJECTS, () => each(VELOCITY_COUNTERS, () => each(WINDOWS, () => 'dyn<int>'))),
  lists: { allow: 'list<string>', deny: 'list<string>', watch: 'list<string>' },
  fields: 'map<string, dyn>',
  age_seconds: 'int',
}

/** Every fact with its type; one of the customer's own is `fields.NAME`. */
export function listFacts(
  schema: FactSchema = FACT_SCHEMA,
  prefix = '',
): { name: string; type: string; nullable: boolean }[] {
  return Object.entries(schema).flatMap(([name, type]) => {
    if (typeof type !== 'string') return listFacts(type, `${prefix}${name}.`)
    const [, nullable] = /^dyn<(.+)>$/.exec(type) ?? []
    return [{ name: prefix + name, type: nullable ?? type, nullable: nullable !== undefined }]
  })
}

const intOrNull = (value: number | null): bigint | null => (value === null ? null : BigInt(value))

interface CelWindows {
  m5: bigint | null
  h1: bigint | null
  h24: bigint | null
  d7: bigint | null
}
type CelCounts = Record<VelocityCounter, CelWindows>

/** Of a subject that the visit lacks: of a browser without a device nobody knows how often it came. */
const UNKNOWN: CelCounts = each(VELOCITY_COUNTERS, () => ({ m5: null, h1: null, h24: null, d7: null }))

const windowsInCel = ({ m5, h1, h24, d7 }: WindowCounts): CelWindows => ({
  m5: BigInt(m5),
  h1: BigInt(h1),
  h24: BigInt(h24),
  d7: BigInt(d7),
})

const countsInCel = (counts: VelocityCounts): CelCounts => ({
  visits: windowsInCel(counts.visits),
  devices: windowsInCel(counts.devices),
  accounts: windowsInCel(counts.accounts),
  addresses: windowsInCel(counts.addresses),
  countries: windowsInCel(counts.countries),
  cookies: windowsInCel(counts.cookies),
})

/** Converts only the subjects that conditions read. */
function velocityInCel(velocity: Velocity): Record<VelocitySubject, CelCounts> {
  const known: Partial<Record<VelocitySubject, CelCounts>> = {}
  const read = (subject: VelocitySubject): CelCounts => {
    const counts = velocity[subject]
    known[subject] ??= counts ? countsInCel(counts) : UNKNOWN
    return known[subject]
  }
  return {
    get device() {
      return read('device')
    },
    get visitor() {
      return read('visitor')
    },
    get cookie() {
      return read('cookie')
    },
    get account() {
      return read('account')
    },
    get address() {
      return read('address')
    },
    get prefix() {
      return read('prefix')
    },
  }
}

type ConditionContext = Readonly<Record<string, unknown>>

const CONTEXTS = new WeakMap<DecisionFacts, ConditionContext>()

/** The values for the conditions; made once for all rules that look at the same facts. */
export function contextOf(facts: DecisionFacts): ConditionContext {
  const known = CONTEXTS.get(facts)
  if (known) return known
  const { score, asn, age_seconds, identity, velocity, ...others } = facts
  const context = {
    ...others,
    score: BigInt(score),
    asn: intOrNull(asn),
    age_seconds: BigInt(age_seconds),
    identity: { ...identity, clones: intOrNull(identity.clones) },
    velocity: velocityInCel(velocity),
  }
  CONTEXTS.set(facts, context)
  return context
}
