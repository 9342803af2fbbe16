import { Readable } from 'node:stream'
import { bandOf, HistoryRow, presentTime } from '@inkling/contract'
import type {
  IDENTIFICATION_OPERATIONS,
  IdentificationDetail,
  IdentificationList,
  IdentificationVersion,
} from '@inkling/contract/account'
import type { Kysely } from 'kysely'
import { presentExplanation, type ReadSnapshot } from '../history/present-explanation.ts'
import { presentRow } from '../history/present-row.ts'
import { AppError } from '../lib/errors.ts'
import { bitsToFlags } from '../lib/flag-bits.ts'
import { type InOutage, UNAVAILABLE, unlessUnavailable } from '../store/cold/stored-bodies.ts'
import { findingsOfRows } from '../store/findings/findings.ts'
import { countMatches } from '../store/identifications/count-identifications.ts'
import { readVerdict } from '../store/identifications/identification-row.ts'
import {
  type IdentificationRow,
  identificationParts,
  type VersionRow,
} from '../store/identifications/identifications.ts'
import { lookupOf, requestIdText } from '../store/identifications/lookup.ts'
import type { Criteria } from '../store/identifications/search-criteria.ts'
import { searchPage } from '../store/identifications/search-identifications.ts'
import { type Order, positionSize, type SearchPosition } from '../store/identifications/search-order.ts'
import { readSnapshot } from '../store/identifications/snapshots.ts'
import { subjectsOf } from '../store/labels/labels-of.ts'
import { labelsReaching } from '../store/labels/read-labels.ts'
import type { Schema } from '../store/schema.ts'
import type { Store } from '../store/store.ts'
import { auditStore } from '../store/users/users.ts'
import { readCursor, writeCursor } from './cursor.ts'
import { findDomain } from './domains.ts'
import { presentDeliveries } from './endpoints.ts'
import { type Handlers, type InShare, inShareOf } from './handler.ts'
import { criteriaOf, readOrder } from './identification-criteria.ts'
import { presentReachingLabels } from './labels.ts'
import { presentFinding } from './patterns.ts'
import { csvLine, jsonArray } from './streamed-rows.ts'

export const identificationOperations: Handlers<typeof IDENTIFICATION_OPERATIONS> = {
  searchIdentifications: async ({ params, query }, { store }) => {
    const { id, name } = await findDomain(store, params.domain)
    const order = readOrder(query)
    const after = readCursor(query.cursor, positionSize(order))
    const page = { after, limit: query.limit }
    const { rows, next } = await searchPage(store.reads, id, await criteriaOf(store, id, query), order, page)
    return {
      data: rows.map((row) => presentRow(row, name)),
      evidence: Object.fromEntries(rows.flatMap(evidenceOf)),
      agents: Object.fromEntries(rows.flatMap(agentOf)),
      next: next ? writeCursor(next) : null,
    }
  },

  countIdentifications: async ({ params, query }, { store }) => {
    const { id } = await findDomain(store, params.domain)
    return countMatches(store.reads, id, await criteriaOf(store, id, query))
  },

  exportIdentifications: async ({ params, query, caller }, { store, exported, now }) => {
    const { id, name } = await findDomain(store, params.domain)
    const detail = { format: query.format }
    const entry = { actor: caller.email, action: 'identifications.export', target: name, detail }
    await auditStore(store.writes).add(entry, now())
    exported('identifications')
    const inShare = inShareOf(caller, store)
    const criteria = await criteriaOf(store, id, query)
    const chunks = everyMatch(store.reads, inShare, id, criteria, readOrder(query))

    async function* rows(): AsyncGenerator<HistoryRow> {
      for await (const chunk of chunks) for (const row of chunk) yield presentRow(row, name)
    }
    return query.format === 'csv'
      ? { type: 'text/csv; charset=utf-8', name: `${name}.csv`, content: Readable.from(csv(rows())) }
      : { type: 'application/json', name: `${name}.json`, content: Readable.from(jsonArray(rows())) }
  },

  getIdentification: async ({ params }, { store }) => {
    const domain = await findDomain(store, params.domain)
    const criteria = { lookups: [lookupOf('request_id', params.request_id)] }
    const page = { after: undefined, limit: 1 }
    const order = readOrder({ sort: 'newest' })
    const [row] = (await searchPage(store.reads, domain.id, criteria, order, page)).rows
    if (!row) throw new AppError('INK_NOT_FOUND', 'no such identification')
    return readDetail(store, row, domain.name)
  },
}

function evidenceOf({ request_id, verdict }: IdentificationRow): [requestId: string, evidence: number][] {
  const { coverage } = readVerdict(verdict)
  return coverage ? [[requestIdText(request_id), coverage.evidence]] : []
}

function agentOf(row: IdentificationRow): [requestId: string, agent: IdentificationList['agents'][string]][] {
  const { agent } = row.agent_identity === null ? {} : readVerdict(row.verdict)
  if (!agent) return []
  const { standing, category, name } = agent
  return [[requestIdText(row.request_id), { identity: standing, ...(category && { category }), name }]]
}

const COLUMNS = Object.keys(HistoryRow.shape) as (keyof HistoryRow)[]

async function* csv(rows: AsyncIterable<HistoryRow>): AsyncGenerator<string> {
  yield csvLine(COLUMNS)
  for await (const row of rows) yield csvLine(COLUMNS.map((column) => row[column]))
}

/** Rows in memory at a time. */
const CHUNK = 500

/** Reads every match in chunks, the next one only when the consumer asks for it. */
export async function* everyMatch(
  db: Kysely<Schema>,
  inShare: InShare,
  domainId: number,
  criteria: Criteria,
  order: Order,
): AsyncGenerator<IdentificationRow[]> {
  let after: SearchPosition | undefined
  do {
    const page = { after, limit: CHUNK }
    const { rows, next } = await inShare(() => searchPage(db, domainId, criteria, order, page))
    if (rows.length > 0) yield rows
    after = next
  } while (after)
}

/**
 * Everything that is stored of an identification.
 * @param inOutage says what becomes of what only the cold storage has while that does not respond
 */
export async function readDetail(
  store: Pick<Store, 'reads' | 'cold'>,
  row: IdentificationRow,
  siteDomain: string,
  inOutage: InOutage = unlessUnavailable,
): Promise<IdentificationDetail> {
  const { reads: db } = store
  const [{ versions, deliveries, pending }, snapshot, findings, labels] = await Promise.all([
    identificationParts(db, row),
    inOutage(readSnapshot(store, row.domain_id, row.id)),
    findingsOfRows(db, row.domain_id, [row.id]),
    labelsReaching(db, row.domain_id, subjectsOf(row)),
  ])
  return {
    row: presentRow(row, siteDomain),
    band: bandOf(row.score),
    explanation: presentExplanation(row, snapshot),
    labels: presentReachingLabels(labels),
    patterns: findings.map(presentFinding),
    versions: [...versions, row].map((version) => presentVersion(row, version)),
    ...presentSnapshot(snapshot),
    deliveries: await presentDeliveries(store, row.domain_id, deliveries, inOutage),
    pending: pending.map(({ endpoint_id, attempts, due_at, body }) => ({
      endpoint_id,
      attempts,
      due_at: presentTime(due_at),
      body: Buffer.from(body).toString(),
    })),
  }
}

function presentSnapshot(
  snapshot: ReadSnapshot,
): Pick<IdentificationDetail, 'snapshot' | 'snapshot_unavailable'> {
  const isUnavailable = snapshot === UNAVAILABLE
  return {
    snapshot:
      isUnavailable || snapshot === undefined ? null : (JSON.parse(snapshot) as Record<string, unknown>),
    snapshot_unavailable: isUnavailable,
  }
}

type Version = Pick<VersionRow, 'ver' | 'score' | 'flags' | 'connection_type' | 'verdict'>

function presentVersion(
  row: IdentificationRow,
  { ver, score, flags, connection_type, verdict }: Version,
): IdentificationVersion {
  const { entries, clear, unknown } = presentExplanation({ ...row, score, verdict }, undefined)
  const rules = readVerdict(verdict).rules ?? null
  return { ver, score, connection_type, rules, flags: raised(flags), entries, clear, unknown }
}

const raised = (bits: number): string[] =>
  Object.entries(bitsToFlags(bits)).flatMap(([flag, isRaised]) => (isRaised ? [flag] : []))
