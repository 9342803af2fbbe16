import { LIST_KINDS, type ListKind, type PatternEntity } from '@inkling/contract'
import {
  type AbsentKind,
  type AbsentSubject,
  type FIND_OPERATIONS,
  FOUND_MAX,
  type SeenKind,
  type SeenSubject,
} from '@inkling/contract/account'
import type { Kysely } from 'kysely'
import { type CaseRow, caseStore } from '../store/cases/cases.ts'
import { casesAbout, casesTitled } from '../store/cases/find-cases.ts'
import { type FindingRow, getFinding, openFindings } from '../store/findings/findings.ts'
import { newestOfPatterns } from '../store/findings/findings-of-patterns.ts'
import { beginningWith } from '../store/identifications/seen-ids.ts'
import { entriesBetween } from '../store/lists/entries-between.ts'
import type { ListEntryRow } from '../store/lists/list-entries.ts'
import { normalValue } from '../store/lists/subject-value.ts'
import type { Schema } from '../store/schema.ts'
import { presentCase } from './case-detail.ts'
import { findDomain } from './domains.ts'
import { findSeen, ID_KINDS } from './find-seen.ts'
import type { Handlers } from './handler.ts'
import { presentListEntry } from './lists.ts'
import { presentFinding } from './patterns.ts'
import { PREFIX_CHARACTERS_MIN, type Recognised, recognise } from './recognise.ts'

export const findOperations: Handlers<typeof FIND_OPERATIONS> = {
  findAnything: async ({ params, query }, { store, now }) => {
    const { id } = await findDomain(store, params.domain)
    const read = recognise(query.q)
    const [seen, entries] = await Promise.all([
      findSeen(store.reads, id, read, now()),
      findEntries(store.reads, id, read),
    ])
    const about = seen.slice(0, ABOUT_MAX)
    const [cases, findings] = await Promise.all([
      findCases(store.reads, id, read, about),
      findFindings(store.reads, id, read, about),
    ])
    return {
      seen,
      list_entries: entries.map(presentListEntry),
      cases: cases.map(presentCase),
      findings: findings.map(presentFinding),
      absent: absentOf(read, { seen, entries, cases, findings }),
    }
  },
}

/** What is found further about the subjects of a short text would hardly be meant. */
const ABOUT_MAX = 3

/** Entries of every kind that the text can be a value of. */
async function findEntries(db: Kysely<Schema>, domainId: number, read: Recognised): Promise<ListEntryRow[]> {
  const found = await Promise.all(
    LIST_KINDS.flatMap((kind) => {
      const range = rangeOf(kind, read)
      return range ? [entriesBetween(db, domainId, kind, range, FOUND_MAX)] : []
    }),
  )
  return found.flat().slice(0, FOUND_MAX)
}

function rangeOf(kind: ListKind, { text, id, countries }: Recognised): [string, string] | undefined {
  switch (kind) {
    case 'device':
    case 'visitor':
    case 'cookie':
    case 'session':
      return id && beginningWith(id.text)
    case 'account':
      if (text === '') return undefined
      return text.length < PREFIX_CHARACTERS_MIN ? [text, text] : beginningWith(text)
    case 'country': {
      const [country, another] = countries
      return country && !another ? [country.code, country.code] : undefined
    }
    default: {
      const normal = normalValue(kind, kind === 'asn' ? text.replace(/^asn?\s?/i, '') : text)
      return 'value' in normal ? [normal.value, normal.value] : undefined
    }
  }
}

/** The number first, then those about what was found, then by title. */
async function findCases(
  db: Kysely<Schema>,
  domainId: number,
  { text, caseNumber }: Recognised,
  about: readonly SeenSubject[],
): Promise<CaseRow[]> {
  const found = await Promise.all([
    caseNumber === undefined ? [] : caseStore(db).find(domainId, caseNumber),
    ...about.map(({ kind, value }) =>
      casesAbout(db, domainId, { type: kind === 'network' ? 'cidr' : kind, value }, FOUND_MAX),
    ),
    text.length < PREFIX_CHARACTERS_MIN ? [] : casesTitled(db, domainId, text, FOUND_MAX),
  ])
  return distinct(found.flat()).slice(0, FOUND_MAX)
}

/** Kinds that patterns are found on. */
const ENTITIES: { [Kind in SeenKind]?: PatternEntity } = {
  device: 'device_id',
  visitor: 'visitor_id',
  account: 'user_hid',
  local_address: 'local_ip',
}

/** The number first, then open ones on what was found, then by name of the pattern. */
async function findFindings(
  db: Kysely<Schema>,
  domainId: number,
  { findingNumber, patterns }: Recognised,
  about: readonly SeenSubject[],
): Promise<FindingRow[]> {
  const found = await Promise.all([
    findingNumber === undefined ? [] : getFinding(db, domainId, findingNumber),
    ...about.map(({ kind, value }) => {
      const type = ENTITIES[kind]
      return type === undefined ? [] : openFindings(db, { domainId, type, value })
    }),
    newestOfPatterns(db, domainId, patterns, FOUND_MAX),
  ])
  return distinct(found.flat()).slice(0, FOUND_MAX)
}

const distinct = <Row extends { id: number }>(rows: readonly (Row | undefined)[]): Row[] => [
  ...new Map(rows.flatMap((row) => (row ? [[row.id, row] as const] : []))).values(),
]

interface Found {
  seen: readonly SeenSubject[]
  entries: readonly ListEntryRow[]
  cases: readonly CaseRow[]
  findings: readonly FindingRow[]
}

/** What the text names for certain. Any text may be an account or a title, so those are never said to be absent. */
function absentOf(
  { id, address, network, asn, countries, caseNumber, findingNumber }: Recognised,
  { seen, entries, cases, findings }: Found,
): AbsentSubject[] {
  const [country, another] = countries
  const named: [AbsentKind, string | number | undefined][] = [
    ...ID_KINDS.map((kind): [AbsentKind, string | undefined] => [kind, id?.text]),
    ['address', address],
    ['network', network],
    ['country', another ? undefined : country?.name],
    ['asn', asn],
    ['case', caseNumber],
    ['finding', findingNumber],
  ]
  const isThere = (kind: AbsentKind): boolean => {
    if (kind === 'asn') return entries.some((entry) => entry.kind === 'asn')
    if (kind === 'case') return cases.some(({ number }) => number === caseNumber)
    if (kind === 'finding') return findings.some((finding) => finding.id === findingNumber)
    return seen.some((subject) => subject.kind === kind)
  }
  return named.flatMap(([kind, value]) =>
    value === undefined || isThere(kind) ? [] : [{ kind, value: String(value) }],
  )
}
