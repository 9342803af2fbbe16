import { PATTERN_CATALOGUE } from '@inkling/contract'
import type {
  AbsentKind,
  AbsentSubject,
  Case,
  FoundThings,
  ListEntry,
  PatternFinding,
  SeenKind,
  SeenSubject,
} from '@inkling/contract/account'
import { CASE_STATUS_LABELS } from '../parts/case-words.tsx'
import { timeText } from '../parts/format.tsx'
import type { IconName } from '../parts/icon.tsx'
import { destination, IDENTIFIER_LABELS, type IdentifierType } from '../parts/identifier.tsx'
import { KIND_LABELS } from '../parts/list-words.ts'
import type { Find, Target } from './find.ts'

const IDENTIFIER_OF_SEEN = {
  request: 'request_id',
  device: 'device_id',
  visitor: 'visitor_id',
  session: 'session_id',
  cookie: 'cookie_id',
  account: 'user_hid',
  address: 'ip',
  local_address: 'local_ip',
} as const satisfies { [Kind in SeenKind]?: IdentifierType }

const SEEN_WORDS: Record<SeenKind, string> = {
  request: 'Identification',
  device: 'Device',
  visitor: 'Visitor',
  session: 'Session',
  cookie: 'Cookie',
  account: 'Account',
  address: 'IP address',
  local_address: 'Local IP',
  network: 'Network: the identifications that came from it',
  country: 'Country: the identifications that came from it',
}

const SEEN_ICONS: Record<SeenKind, IconName> = {
  request: 'table',
  device: 'device',
  visitor: 'user',
  session: 'table',
  cookie: 'table',
  account: 'user',
  address: 'globe',
  local_address: 'globe',
  network: 'globe',
  country: 'globe',
}

/** The rows for what the server found. */
export const findsOf = (domain: string, { seen, cases, findings, list_entries }: FoundThings): Find[] => [
  ...seen.map((subject) => seenFind(domain, subject)),
  ...cases.map((found) => caseFind(domain, found)),
  ...findings.map((finding) => findingFind(domain, finding)),
  ...list_entries.map((entry) => entryFind(domain, entry)),
]

function seenFind(domain: string, { kind, value, last_seen_at }: SeenSubject): Find {
  const seen = kind === 'request' ? 'received' : 'last seen'
  return {
    icon: SEEN_ICONS[kind],
    title: value,
    about: SEEN_WORDS[kind],
    ...(last_seen_at !== null && { now: `${seen} ${timeText(last_seen_at)}` }),
    target: seenTarget(domain, kind, value),
  }
}

function seenTarget(domain: string, kind: SeenKind, value: string): Target {
  if (kind === 'network' || kind === 'country')
    return {
      to: '/d/$domain/identifications',
      params: { domain },
      search: kind === 'network' ? { ip: value } : { country: value },
    }
  return { search: {}, ...destination(domain, IDENTIFIER_OF_SEEN[kind], value) }
}

const caseFind = (domain: string, { number, title, status }: Case): Find => ({
  icon: 'inbox',
  title,
  about: `Case ${number}`,
  now: CASE_STATUS_LABELS[status].toLowerCase(),
  target: { to: '/d/$domain/cases/$number', params: { domain, number: String(number) }, search: {} },
})

const findingFind = (
  domain: string,
  { id, pattern, entity_type, entity_value, resolved_at }: PatternFinding,
): Find => ({
  icon: 'alert',
  title: PATTERN_CATALOGUE[pattern].title,
  about: `Pattern ${id}, ${IDENTIFIER_LABELS[entity_type].toLowerCase()} ${entity_value}`,
  now: resolved_at === null ? 'open' : 'resolved',
  target: { to: '/d/$domain/patterns/$findingId', params: { domain, findingId: String(id) }, search: {} },
})

const entryFind = (domain: string, { list, kind, value, reason }: ListEntry): Find => ({
  icon: 'lines',
  title: value,
  about: `${KIND_LABELS[kind]} on the ${list} list${reason === '' ? '' : `: ${reason}`}`,
  target: { to: '/d/$domain/lists', params: { domain }, search: { list, kind, value } },
})

const ID_WORDS: { [Kind in AbsentKind]?: string } = {
  request: 'identification',
  device: 'device',
  visitor: 'visitor',
  session: 'session',
  cookie: 'cookie',
}
const WHOLE_ID = 36

/** What the text names and the domain does not have, in sentences. */
export function absentTexts(absent: readonly AbsentSubject[]): string[] {
  const ids = absent.flatMap(({ kind, value }) => {
    const word = ID_WORDS[kind]
    return word === undefined ? [] : [{ word, value }]
  })
  const [id] = ids
  const names = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(ids.map(({ word }) => word))
  const idText =
    id && `No ${names} has ${id.value.length === WHOLE_ID ? 'the ID' : 'an ID that begins with'} ${id.value}.`
  return [
    ...(idText === undefined ? [] : [idText]),
    ...absent.flatMap(({ kind, value }) => ABSENT_TEXTS[kind]?.(value) ?? []),
  ]
}

const cameFrom = (value: string): string => `No identification came from ${value}.`

const ABSENT_TEXTS: { [Kind in AbsentKind]?: (value: string) => string } = {
  address: cameFrom,
  network: cameFrom,
  country: cameFrom,
  asn: (value) => `AS${value} is on no list. Identifications are not searched by it.`,
  case: (value) => `There is no case ${value}.`,
  finding: (value) => `There is no pattern with the number ${value}.`,
}
