import { LABEL_SUBJECTS, type LabelReach, type LabelSubject, type SearchType } from '@inkling/contract'
import type { Kysely } from 'kysely'
import { lookupOf } from '../identifications/lookup.ts'
import type { Schema } from '../schema.ts'
import { labelStore } from './labels.ts'
import {
  type DomainLabels,
  type LabelledRow,
  newestFirst,
  type ReachedLabel,
  type StoredLabel,
  spreads,
  subjectsOf,
  verdictOfLabels,
} from './labels-of.ts'

const PAGE = 1_000
/** Of a statement. */
const VALUES_AT_ONCE = 200

/** Labels by the value of what they reach in one way. */
type ByValue = Map<string, Set<StoredLabel>>

/** Reads the labels of a domain, and which devices and accounts the identifications with their subjects have. */
export async function readLabels(db: Kysely<Schema>, domainId: number): Promise<DomainLabels> {
  const direct = new Map<LabelSubject, ByValue>(LABEL_SUBJECTS.map((type) => [type, new Map()]))
  for (let after = 0; ; ) {
    const page = await labelStore(db).page(domainId, {}, { after, limit: PAGE })
    for (const label of page) add(direct.get(label.subject.type), label.subject.value, label)
    after = page.at(-1)?.id ?? after
    if (page.length < PAGE) break
  }
  if ([...direct.values()].every((labels) => labels.size === 0))
    return { labelsOf: () => [], verdictOf: () => undefined }
  const devices: ByValue = new Map()
  const accounts: ByValue = new Map()
  for (const [type, labels] of direct)
    if (spreads(type))
      for await (const row of rowsWith(db, domainId, type, [...labels.keys()])) {
        const subjects = subjectsOf(row)
        for (const label of labels.get(subjects.get(type) ?? '') ?? []) {
          add(devices, subjects.get('device'), label)
          add(accounts, subjects.get('account'), label)
        }
      }

  function labelsOf(row: LabelledRow, reaches: readonly LabelReach[]): ReachedLabel[] {
    const subjects = subjectsOf(row)
    const found = new Map<number, ReachedLabel>()
    const reach = (how: LabelReach, labels: Iterable<StoredLabel> = []) => {
      for (const label of labels) if (!found.has(label.id)) found.set(label.id, { label, reach: how })
    }
    if (reaches.includes('direct'))
      for (const [type, value] of subjects) reach('direct', direct.get(type)?.get(value))
    if (reaches.includes('same_device')) reach('same_device', devices.get(subjects.get('device') ?? ''))
    if (reaches.includes('same_account')) reach('same_account', accounts.get(subjects.get('account') ?? ''))
    return [...found.values()].sort(newestFirst)
  }
  return {
    labelsOf,
    verdictOf: (row, reaches) => verdictOfLabels(labelsOf(row, reaches), reaches),
  }
}

function add(labels: ByValue | undefined, value: string | undefined, label: StoredLabel): void {
  if (!labels || value === undefined) return
  const known = labels.get(value)
  if (known) known.add(label)
  else labels.set(value, new Set([label]))
}

const COLUMNS: Partial<Record<LabelSubject, Exclude<SearchType, 'ip'>>> = {
  request: 'request_id',
  session: 'session_id',
  cookie: 'cookie_id',
  device: 'device_id',
  visitor: 'visitor_id',
  account: 'user_hid',
}

/** The columns of the identifications that have a subject, each combination once. */
async function* rowsWith(
  db: Kysely<Schema>,
  domainId: number,
  type: LabelSubject,
  values: readonly string[],
): AsyncGenerator<LabelledRow> {
  const column = COLUMNS[type]
  if (!column) return
  for (let start = 0; start < values.length; start += VALUES_AT_ONCE) {
    const some = values.slice(start, start + VALUES_AT_ONCE).map((value) => lookupOf(column, value).value)
    const rows = await db
      .selectFrom('identifications')
      .select([column, 'device_id', 'user_hid'])
      .distinct()
      .where('domain_id', '=', domainId)
      .where(column, 'in', some as Uint8Array[])
      .execute()
    for (const row of rows) yield { ...NOTHING, ...row }
  }
}

const NOTHING: LabelledRow = {
  request_id: null,
  session_id: new Uint8Array(16),
  cookie_id: new Uint8Array(16),
  device_id: new Uint8Array(16),
  visitor_id: new Uint8Array(16),
  user_hid: '',
  ip: null,
  ip6: null,
  webrtc_leak_ip: null,
}

/** Identifications that are read of a device or account, newest first, to find what reaches one. */
const NEIGHBOURS_MAX = 1_000

interface Neighbour {
  type: 'device' | 'account'
  value: string
}

/**
 * The labels that reach what has these subjects: an identification, a device or an account. Beyond the newest thousand
 * identifications of a device or account it does not look.
 */
export async function labelsReaching(
  db: Kysely<Schema>,
  domainId: number,
  subjects: ReadonlyMap<LabelSubject, string>,
): Promise<ReachedLabel[]> {
  const found = new Map<number, ReachedLabel>()
  const reach = async (how: LabelReach, type: LabelSubject, values: readonly string[]) => {
    for (const label of await labelStore(db).about(domainId, type, values))
      if (!found.has(label.id)) found.set(label.id, { label, reach: how })
  }
  for (const [type, value] of subjects) await reach('direct', type, [value])
  for (const [type, how] of [
    ['device', 'same_device'],
    ['account', 'same_account'],
  ] as const) {
    const value = subjects.get(type)
    const rows = value === undefined ? [] : await neighbours(db, domainId, { type, value })
    const values = Map.groupBy(
      rows.flatMap((row) => [...subjectsOf(row)]),
      ([subject]) => subject,
    )
    for (const [subject, entries] of values)
      if (spreads(subject)) await reach(how, subject, [...new Set(entries.map(([, one]) => one))])
  }
  return [...found.values()].sort(newestFirst)
}

const neighbours = (
  db: Kysely<Schema>,
  domainId: number,
  { type, value }: Neighbour,
): Promise<LabelledRow[]> => {
  const lookup = lookupOf(type === 'device' ? 'device_id' : 'user_hid', value)
  return db
    .selectFrom('identifications')
    .select([
      'request_id',
      'session_id',
      'cookie_id',
      'device_id',
      'visitor_id',
      'user_hid',
      'ip',
      'ip6',
      'webrtc_leak_ip',
    ])
    .where('domain_id', '=', domainId)
    .where(lookup.column, '=', lookup.value)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(NEIGHBOURS_MAX)
    .execute()
}
