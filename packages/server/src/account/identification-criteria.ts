import {
  AGENT_STANDINGS,
  BAND_NAMES,
  BANDS,
  type Band,
  SEARCH_TYPES,
  type SearchType,
} from '@inkling/contract'
import type { ChoiceName, IdentificationFilters, IdentificationSearch } from '@inkling/contract/account'
import { ipv4ToNumber } from '../lib/address.ts'
import { withAliases } from '../store/devices/device-aliases.ts'
import {
  type LocalAddress,
  type Lookup,
  lookupOf,
  networkOf,
  type SearchedNetwork,
} from '../store/identifications/lookup.ts'
import type { Choice, ChoiceColumn, Criteria, ScoreRange } from '../store/identifications/search-criteria.ts'
import type { Order } from '../store/identifications/search-order.ts'
import type { Store } from '../store/store.ts'

const ORDERS: Record<IdentificationSearch['sort'], Order> = {
  newest: { by: 'time', direction: 'desc' },
  oldest: { by: 'time', direction: 'asc' },
  riskiest: { by: 'score', direction: 'desc' },
  safest: { by: 'score', direction: 'asc' },
}

export const readOrder = ({ sort }: Pick<IdentificationSearch, 'sort'>): Order => ORDERS[sort]

/** A device is found by any of its IDs. */
export async function criteriaOf(
  { reads }: Store,
  domainId: number,
  filters: IdentificationFilters,
): Promise<Criteria> {
  const { lookups, anyOf = [], noneOf = [], ...others } = readCriteria(filters)
  const all = (found: readonly Lookup[]) =>
    Promise.all(found.map((lookup) => withAliases(reads, domainId, lookup)))
  const known = async <Other extends object>(found: readonly (Lookup | Other)[]) => [
    ...distinct(await all(found.filter(isLookup))),
    ...found.filter((held): held is Other => !isLookup(held)),
  ]
  return {
    ...others,
    lookups: await all(lookups),
    anyOf: await Promise.all(anyOf.map(known)),
    noneOf: await known(noneOf),
  }
}

/** Those that no other one before stands for. */
function distinct(lookups: readonly Lookup[]): Lookup[] {
  const seen = new Set<string>()
  return lookups.filter((lookup) => {
    const { column, value, aliases = [] } = lookup
    if (seen.has(keyOf(column, value))) return false
    for (const one of [value, ...aliases]) seen.add(keyOf(column, one))
    return true
  })
}

const keyOf = (column: string, value: Lookup['value']): string =>
  `${column} ${value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value}`

const isLookup = (held: object): held is Lookup => 'value' in held

/** All but addresses, which are of two families and may be networks. */
const IDENTIFIERS = SEARCH_TYPES.filter((name) => name !== 'ip')

export function readCriteria(filters: IdentificationFilters): Criteria {
  const addresses = addressesOf(filters.ip)
  const hasNetwork = !addresses.every(isLookup)
  const any = [
    ...IDENTIFIERS.map((name) => lookupsOf(name, filters[name])),
    hasNetwork ? [] : addresses.filter(isLookup),
  ]
  const local = localAddressesOf(filters.local_ip)
  return {
    lookups: any.flatMap((found) => (found.length === 1 ? found : [])),
    anyOf: [...any, local].filter((found) => found.length > 1),
    noneOf: [
      ...IDENTIFIERS.flatMap((name) => lookupsOf(name, filters[`not_${name}`])),
      ...addressesOf(filters.not_ip),
      ...localAddressesOf(filters.not_local_ip),
    ],
    addresses: hasNetwork ? addresses : undefined,
    fromMs: filters.from === undefined ? undefined : Date.parse(filters.from),
    toMs: filters.to === undefined ? undefined : Date.parse(filters.to),
    ...scoresOf(filters),
    finding: filters.finding,
    localIp: local.length === 1 ? local[0]?.local : undefined,
    isAgent: [filters.agent_identity, filters.agent_category, filters.agent].some(Boolean),
    ...choicesOf(filters),
  }
}

const lookupsOf = (name: SearchType, values: readonly string[] = []): Lookup[] =>
  distinct(values.map((value) => lookupOf(name, value)))

function addressesOf(texts: readonly string[] = []): (Lookup | SearchedNetwork)[] {
  const networks = texts.flatMap((text) => (text.includes('/') ? (networkOf(text) ?? []) : []))
  return [
    ...lookupsOf(
      'ip',
      texts.filter((text) => !text.includes('/')),
    ),
    ...networks,
  ]
}

const localAddressesOf = (texts: readonly string[] = []): LocalAddress[] =>
  [...new Set(texts.map(ipv4ToNumber))].flatMap((local) => (local === undefined ? [] : { local }))

/** The lowest and the highest score, and the ranges in between where not all of that is asked for. */
function scoresOf({ band, not_band, score_min, score_max }: IdentificationFilters) {
  const ranges = bandRanges(band ?? BAND_NAMES, not_band ?? [])
  const [first] = ranges
  const last = ranges.at(-1)
  const isAll = band === undefined && not_band === undefined
  return {
    scoreMin: greatest(score_min, isAll ? undefined : first?.from),
    scoreMax: least(score_max, isAll ? undefined : last?.to),
    scoreRanges: ranges.length === 1 ? undefined : ranges,
  }
}

/** The scores of some bands without others, from low to high; bands that touch are one range. */
function bandRanges(any: readonly Band[], none: readonly Band[]): ScoreRange[] {
  const ranges: ScoreRange[] = []
  for (const name of BAND_NAMES.filter((known) => any.includes(known) && !none.includes(known))) {
    const { from, to } = BANDS[name]
    const before = ranges.at(-1)
    if (before?.to === from - 1) before.to = to
    else ranges.push({ from, to })
  }
  return ranges
}

const given = (values: readonly (number | undefined)[]): number[] =>
  values.filter((value) => value !== undefined)

const greatest = (...values: (number | undefined)[]): number | undefined =>
  given(values).length === 0 ? undefined : Math.max(...given(values))

const least = (...values: (number | undefined)[]): number | undefined =>
  given(values).length === 0 ? undefined : Math.min(...given(values))

function choicesOf(
  filters: IdentificationFilters,
): Pick<Criteria, 'flags' | 'signals' | 'patterns' | 'columns'> {
  const flags = choiceOf(filters.flag, filters.not_flag)
  const signals = choiceOf(filters.signal, filters.not_signal)
  const patterns = choiceOf(filters.pattern, filters.not_pattern)
  return {
    ...(flags && { flags }),
    ...(signals && { signals }),
    ...(patterns && { patterns }),
    columns: columnsOf(filters),
  }
}

const COLUMNS = [
  'connection_type',
  'browser',
  'os',
  'device_type',
  'agent_category',
  'agent',
] as const satisfies readonly (ChoiceColumn & ChoiceName)[]

function columnsOf(filters: IdentificationFilters): NonNullable<Criteria['columns']> {
  const identity = choiceOf(standingsOf(filters.agent_identity), standingsOf(filters.not_agent_identity))
  const { any, none } = identity ?? {}
  const choices: [ChoiceColumn, Choice<string | null> | undefined][] = [
    ...COLUMNS.map((name): [ChoiceColumn, Choice<string> | undefined] => [
      name,
      choiceOf(filters[name], filters[`not_${name}`]),
    ]),
    ['country', choiceOf(orNulls(filters.country), orNulls(filters.not_country))],
    // An index alone finds those of any identity.
    ['agent_identity', choiceOf(filters.agent_identity?.includes('any') ? undefined : any, none)],
  ]
  return Object.fromEntries(choices.filter(([, choice]) => choice))
}

const choiceOf = <Value>(
  any: readonly Value[] | undefined,
  none: readonly Value[] | undefined,
): Choice<Value> | undefined => (any || none ? { any, none } : undefined)

const standingsOf = (identities: IdentificationFilters['agent_identity']): readonly string[] | undefined =>
  identities?.includes('any') ? AGENT_STANDINGS : identities

const orNulls = (texts: readonly string[] | undefined): (string | null)[] | undefined =>
  texts?.map((text) => (text === '' ? null : text))
