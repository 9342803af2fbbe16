import { DETECTION_FLAGS, SIGNAL_CATALOGUE } from '@inkling/contract'
import {
  VELOCITY_COUNTERS,
  VELOCITY_SUBJECTS,
  type VelocityCounter,
  type VelocityCounts,
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

type CelWindows = Record<keyof WindowCounts, bigint | null>

const UNKNOWN: CelWindows = each(WINDOWS, () => null)
/** Of a subject that a counted visit lacks, such as an account. */
const NONE: CelWindows = each(WINDOWS, () => 0n)

type CelCounts = Record<VelocityCounter, CelWindows>

/** Converts only what conditions read: there are more than a hundred counts. */
function countsInCel(counts: VelocityCounts | null, missing: CelWindows): CelCounts {
  const known: Partial<CelCounts> = {}
  const read = (name: VelocityCounter): CelWindows => {
    const windows = counts?.[name]
    known[name] ??= windows ? each(WINDOWS, (window) => BigInt(windows[window])) : missing
    return known[name]
  }
  return {
    get visits() {
      return read('visits')
    },
    get devices() {
      return read('devices')
    },
    get accounts() {
      return read('accounts')
    },
    get addresses() {
      return read('addresses')
    },
    get countries() {
      return read('countries')
    },
    get cookies() {
      return read('cookies')
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
  const isCounted = VELOCITY_SUBJECTS.some((subject) => velocity[subject])
  const context = {
    ...others,
    score: BigInt(score),
    asn: intOrNull(asn),
    age_seconds: BigInt(age_seconds),
    identity: { ...identity, clones: intOrNull(identity.clones) },
    velocity: each(VELOCITY_SUBJECTS, (subject) =>
      countsInCel(velocity[subject], isCounted ? NONE : UNKNOWN),
    ),
  }
  CONTEXTS.set(facts, context)
  return context
}
