import {
  type Band,
  bandOf,
  type DecisionPurpose,
  type DetectionFlags,
  NIL_UUID,
  namesAccount,
  SIGNAL_CATALOGUE,
} from '@inkling/contract'
import { ipv4ToText, ipv6ToText, normalAddress } from '../lib/address.ts'
import { bitsToFlags } from '../lib/flag-bits.ts'
import { uuidToText } from '../lib/uuid.ts'
import { readVerdict } from '../store/identifications/identification-row.ts'
import type { IdentificationRow } from '../store/identifications/identifications.ts'
import { velocityOf } from '../store/velocity/velocity-column.ts'
import type { ListMatch } from '../visit/list-match.ts'
import type { Velocity } from '../visit/velocity.ts'

/** What a customer asks about a stored identification. Plain JSON: it is stored with the decision, for replays. */
export interface DecisionQuestion {
  purpose: DecisionPurpose
  /** The account that the customer names; undefined for the one of the visit. */
  account?: string | undefined
  /** The customer's own facts. */
  fields: Readonly<Record<string, unknown>>
  /** Where the customer's backend got the request from. */
  clientAddress?: string | undefined
  /** The time of the question. */
  atMs: number
  /** Entries of lists that match at the time of the question, beside those that matched the visit. */
  lists?: readonly ListMatch[] | undefined
}

/** What rules decide by. Null is unknown. */
export interface DecisionFacts {
  purpose: DecisionPurpose
  /** 0 to 100. */
  score: number
  band: Band
  /** By name: whether a signal hit; null where its facts are missing. */
  signals: Record<string, boolean | null>
  flags: DetectionFlags
  /** How much of what could be known is known, 0 to 1. */
  evidence: number | null
  identity: {
    outcome: string | null
    confidence: number | null
    is_new_device: boolean | null
    clones: number | null
  }
  agent: { identity: string | null; category: string | null; operator: string | null; name: string | null }
  address: string | null
  country: string | null
  asn: number | null
  connection_type: string
  host: string
  browser: string
  os: string
  device_type: string
  device_id: string | null
  visitor_id: string | null
  cookie_id: string | null
  account: string | null
  /** Whether the customer's backend saw the address of the visit; null where the two cannot be compared. */
  address_matches: boolean | null
  /** Right after the visit. */
  velocity: Velocity
  /** Kinds of the matching entries. */
  lists: { allow: string[]; deny: string[]; watch: string[] }
  matches: readonly ListMatch[]
  /** The customer's own. */
  fields: Readonly<Record<string, unknown>>
  /** From the visit to the question. */
  age_seconds: number
}

/** What facts are made of. */
export const DECIDED_COLUMNS = [
  'created_at',
  'score',
  'flags',
  'verdict',
  'velocity',
  'ip',
  'ip6',
  'country',
  'connection_type',
  'host',
  'browser',
  'os',
  'device_type',
  'device_id',
  'visitor_id',
  'cookie_id',
  'user_hid',
] as const satisfies readonly (keyof IdentificationRow)[]
type DecidedRow = Pick<IdentificationRow, (typeof DECIDED_COLUMNS)[number]>

/**
 * The facts of a stored identification. A function of what is stored and asked alone, so that a replay of a question
 * finds the same facts.
 */
export function factsOf(row: DecidedRow, question: DecisionQuestion): DecisionFacts {
  const verdict = readVerdict(row.verdict)
  const { decision } = verdict
  const address = addressOf(row)
  const isFromThere = addressMatches(address, question.clientAddress)
  const ofVisit = (verdict.lists ?? []).filter(({ list, kind }) => {
    if (list !== 'allow') return true
    return kind === 'account'
      ? question.account === undefined
      : question.clientAddress === undefined || isFromThere === true || !OF_ADDRESS.has(kind)
  })
  const matches = withoutRepeats([...ofVisit, ...(question.lists ?? [])])
  return {
    purpose: question.purpose,
    score: row.score,
    band: bandOf(row.score),
    signals: signalsOf(verdict),
    flags: bitsToFlags(row.flags),
    evidence: verdict.coverage?.evidence ?? null,
    identity: {
      outcome: decision?.outcome ?? null,
      confidence: decision?.confidence ?? null,
      is_new_device: decision ? NEW_DEVICE.has(decision.outcome) : null,
      clones: decision?.clones ?? null,
    },
    agent: {
      identity: verdict.agent?.standing ?? null,
      category: verdict.agent?.category ?? null,
      operator: verdict.agent?.operator ?? null,
      name: verdict.agent?.name ?? null,
    },
    address,
    country: row.country,
    asn: verdict.asn ?? null,
    connection_type: row.connection_type,
    host: row.host,
    browser: row.browser,
    os: row.os,
    device_type: row.device_type,
    device_id: uuidOrNull(row.device_id),
    visitor_id: uuidOrNull(row.visitor_id),
    cookie_id: uuidOrNull(row.cookie_id),
    account: question.account ?? (namesAccount(row.user_hid) ? row.user_hid : null),
    address_matches: isFromThere,
    velocity: velocityAbout(row, question),
    lists: {
      allow: kindsOf(matches, 'allow'),
      deny: kindsOf(matches, 'deny'),
      watch: kindsOf(matches, 'watch'),
    },
    matches,
    fields: question.fields,
    age_seconds: Math.max(0, Math.floor((question.atMs - row.created_at) / 1000)),
  }
}

/** The visit's own account was counted, and not another one that the customer names. */
function velocityAbout(row: DecidedRow, { account }: DecisionQuestion): Velocity {
  const velocity = velocityOf(row)
  return account === undefined || account === row.user_hid ? velocity : { ...velocity, account: null }
}

export function addressOf({ ip, ip6 }: Pick<IdentificationRow, 'ip' | 'ip6'>): string | null {
  if (ip6) return ipv6ToText(ip6)
  return ip === null ? null : ipv4ToText(ip)
}

/** These outcomes make a device. */
const NEW_DEVICE: ReadonlySet<string> = new Set(['new', 'separated'])

/** Until a verdict says more: those that it does not name were left out, such as all of a crawler's, or are newer. */
const UNKNOWN: Readonly<Record<string, null>> = Object.fromEntries(
  Object.keys(SIGNAL_CATALOGUE).map((name) => [name, null]),
)

function signalsOf({ entries, clear }: ReturnType<typeof readVerdict>): Record<string, boolean | null> {
  const signals: Record<string, boolean | null> = { ...UNKNOWN }
  for (const name of clear) signals[name] = false
  for (const { name } of entries) signals[name] = true
  return signals
}

/**
 * Kinds whose `allow` entries let nobody pass who asks from another address, of the other family too: somebody there may
 * have visited for them.
 */
const OF_ADDRESS: ReadonlySet<ListMatch['kind']> = new Set(['address', 'cidr', 'asn', 'country'])

/** The visit and the question may name the same account. */
const withoutRepeats = (matches: readonly ListMatch[]): readonly ListMatch[] => [
  ...new Map(matches.map((match) => [`${match.list} ${match.kind} ${match.value}`, match])).values(),
]

const kindsOf = (matches: readonly ListMatch[], list: ListMatch['list']): string[] => [
  ...new Set(matches.filter((match) => match.list === list).map(({ kind }) => kind)),
]

export const uuidOrNull = (bytes: Uint8Array): string | null => {
  const text = uuidToText(bytes)
  return text === NIL_UUID ? null : text
}

/** Browsers use IPv4 and IPv6 in turns, so an address of the other family says nothing. */
function addressMatches(address: string | null, client: string | undefined): boolean | null {
  if (client === undefined || address === null) return null
  const seen = normalAddress(client)
  return seen.includes(':') === address.includes(':') ? seen === address : null
}
