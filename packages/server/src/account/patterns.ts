import { Readable } from 'node:stream'
import { namesAccount, namesOne, type PatternEntity, type PatternName, presentTime } from '@inkling/contract'
import {
  type PATTERN_OPERATIONS,
  type PatternFilters,
  PatternFinding,
  type PatternFindingDetail,
  type PatternValue,
} from '@inkling/contract/account'
import { presentRow } from '../history/present-row.ts'
import { PATTERNS } from '../jobs/patterns/patterns.ts'
import { ipv4ToText } from '../lib/address.ts'
import { AppError } from '../lib/errors.ts'
import { uuidToText } from '../lib/uuid.ts'
import {
  type FindingCriteria,
  type FindingPosition,
  type FindingRow,
  findingRows,
  getFinding,
  listFindings,
} from '../store/findings/findings.ts'
import { readVerdict } from '../store/identifications/identification-row.ts'
import type { IdentificationRow } from '../store/identifications/identifications.ts'
import { auditStore } from '../store/users/users.ts'
import { readCursor, writeCursor } from './cursor.ts'
import { findDomain } from './domains.ts'
import { type Handlers, inShareOf } from './handler.ts'
import { csvLine, jsonArray } from './streamed-rows.ts'

export const patternOperations: Handlers<typeof PATTERN_OPERATIONS> = {
  listPatterns: async ({ params, query }, { store }) => {
    const { id } = await findDomain(store, params.domain)
    const [lastAt, findingId] = readCursor(query.cursor, 2) ?? []
    const after = lastAt === undefined || findingId === undefined ? undefined : ([lastAt, findingId] as const)
    const findings = await listFindings(store.reads, id, readFindingFilters(query), after, query.limit)
    const last = findings.length === query.limit ? findings.at(-1) : undefined
    return { data: findings.map(presentFinding), next: last ? writeCursor([last.last_at, last.id]) : null }
  },

  getPattern: async ({ params }, { store }) => {
    const { id, name } = await findDomain(store, params.domain)
    const finding = await getFinding(store.reads, id, params.finding_id)
    if (!finding) throw new AppError('INK_NOT_FOUND', 'no such finding')
    const rows = await findingRows(store.reads, finding)
    const windowMs = PATTERNS.find((pattern) => pattern.name === finding.pattern)?.windowMs ?? 0
    return {
      finding: presentFinding(finding),
      window_seconds: windowMs / 1_000,
      values: valuesOf(rows),
      rows: rows.map((row) => presentRow(row, name)),
    }
  },

  exportPatterns: async ({ params, query, caller }, { store, now }) => {
    const { id, name } = await findDomain(store, params.domain)
    const taken = { actor: caller.email, action: 'patterns.export', target: name }
    await auditStore(store.writes).add(taken, now())
    const criteria = readFindingFilters(query)
    const inShare = inShareOf(caller, store)

    async function* findings(): AsyncGenerator<PatternFinding> {
      let after: FindingPosition | undefined
      do {
        const from = after
        const rows = await inShare(() => listFindings(store.reads, id, criteria, from, CHUNK))
        for (const row of rows) yield presentFinding(row)
        const last = rows.length === CHUNK ? rows.at(-1) : undefined
        after = last && [last.last_at, last.id]
      } while (after)
    }
    const file = `${name}-patterns`
    return query.format === 'csv'
      ? { type: 'text/csv; charset=utf-8', name: `${file}.csv`, content: Readable.from(csv(findings())) }
      : { type: 'application/json', name: `${file}.json`, content: Readable.from(jsonArray(findings())) }
  },
}

const readFindingFilters = (filters: PatternFilters): FindingCriteria => ({
  pattern: filters.pattern,
  grade: filters.grade,
  open: filters.state === 'all' ? undefined : filters.state === 'open',
  entityType: filters.entity_type,
  // Case matters in account identifiers, not in UUIDs.
  entityValue:
    filters.entity_type === 'device_id' || filters.entity_type === 'visitor_id'
      ? filters.entity_value?.toLowerCase()
      : filters.entity_value,
})

const valuesOf = (rows: readonly IdentificationRow[]): PatternFindingDetail['values'] => ({
  device_id: counted(rows, (row) => one(row.device_id)),
  visitor_id: counted(rows, (row) => one(row.visitor_id)),
  cookie_id: counted(rows, (row) => one(row.cookie_id)),
  user_hid: countedAccounts(rows),
  ip: counted(rows, ({ ip }) => (ip === null ? undefined : ipv4ToText(ip))),
  country: counted(rows, ({ country }) => country ?? undefined),
})

/** An account that no visit of the finding had signed is only claimed: anybody can send any. */
function countedAccounts(rows: readonly IdentificationRow[]): PatternValue[] {
  const proofs = Map.groupBy(rows, ({ user_hid }) => user_hid)
  const isClaimed = (account: string): boolean => {
    const of = (proofs.get(account) ?? []).map(({ verdict }) => readVerdict(verdict).account)
    return !of.includes('signed') && of.some((proof) => proof === 'claimed' || proof === 'invalid')
  }
  return counted(rows, ({ user_hid }) => (namesAccount(user_hid) ? user_hid : undefined)).map((account) =>
    isClaimed(account.value) ? { ...account, claimed: true } : account,
  )
}

function one(bytes: Uint8Array): string | undefined {
  const id = uuidToText(bytes)
  return namesOne(id) ? id : undefined
}

function counted(
  rows: readonly IdentificationRow[],
  read: (row: IdentificationRow) => string | undefined,
): PatternValue[] {
  return [...Map.groupBy(rows, read)]
    .flatMap(([value, those]) => (value === undefined ? [] : [{ value, identifications: those.length }]))
    .sort((a, b) => b.identifications - a.identifications)
}

const COLUMNS = Object.keys(PatternFinding.shape) as (keyof PatternFinding)[]
/** Findings in memory at a time. */
const CHUNK = 500

async function* csv(findings: AsyncIterable<PatternFinding>): AsyncGenerator<string> {
  yield csvLine(COLUMNS)
  for await (const finding of findings) yield csvLine(COLUMNS.map((column) => finding[column] ?? undefined))
}

export const presentFinding = (row: FindingRow): PatternFinding => ({
  id: row.id,
  // The store has text; only the table of patterns writes it.
  pattern: row.pattern as PatternName,
  entity_type: row.entity_type as PatternEntity,
  entity_value: row.entity_value,
  grade: row.grade,
  count: row.count,
  suspicious_from: row.suspicious_from,
  dangerous_from: row.dangerous_from,
  average_score: row.average_score,
  first_at: presentTime(row.first_at),
  last_at: presentTime(row.last_at),
  judged_at: presentTime(row.judged_at),
  resolved_at: row.resolved_at === null ? null : presentTime(row.resolved_at),
})
