import { Readable } from 'node:stream'
import { BANDS, bandOf, HistoryRow, presentTime, SEARCH_TYPES } from '@inkling/contract'
import type {
  IDENTIFICATION_OPERATIONS,
  IdentificationDetail,
  IdentificationFilters,
  IdentificationList,
  IdentificationVersion,
} from '@inkling/contract/account'
import type { Kysely } from 'kysely'
import { presentExplanation } from '../history/present-explanation.ts'
import { presentRow } from '../history/present-row.ts'
import { ipv4ToNumber } from '../lib/address.ts'
import { AppError } from '../lib/errors.ts'
import { bitsToFlags } from '../lib/flag-bits.ts'
import { withAliases } from '../store/devices/device-aliases.ts'
import { findingsOfRows } from '../store/findings/findings.ts'
import { readVerdict } from '../store/identifications/identification-row.ts'
import {
  type IdentificationRow,
  identificationParts,
  type VersionRow,
} from '../store/identifications/identifications.ts'
import { lookupOf, networkOf, requestIdText } from '../store/identifications/lookup.ts'
import {
  type Criteria,
  type Order,
  positionSize,
  type SearchPosition,
  searchPage,
} from '../store/identifications/search-identifications.ts'
import { subjectsOf } from '../store/labels/labels-of.ts'
import { labelsReaching } from '../store/labels/read-labels.ts'
import type { Schema } from '../store/schema.ts'
import type { Store } from '../store/store.ts'
import { auditStore } from '../store/users/users.ts'
import type { NetworkEvidence } from '../visit/network-evidence.ts'
import { readCursor, writeCursor } from './cursor.ts'
import { findDomain } from './domains.ts'
import { presentDelivery } from './endpoints.ts'
import { type Handlers, inShareOf } from './handler.ts'
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
    const criteria = { lookups: [lookupOf('request_id', params.request_id)], equal: {} }
    const page = { after: undefined, limit: 1 }
    const order = readOrder({ sort: 'newest' })
    const [row] = (await searchPage(store.reads, domain.id, criteria, order, page)).rows
    if (!row) throw new AppError('INK_NOT_FOUND', 'no such identification')
    return readDetail(store.reads, row, domain.name)
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

/** A device is found by any of its IDs. */
async function criteriaOf(
  { reads }: Store,
  domainId: number,
  filters: IdentificationFilters,
): Promise<Criteria> {
  const { lookups, ...others } = readCriteria(filters)
  const found = lookups.map((lookup) => withAliases(reads, domainId, lookup))
  return { ...others, lookups: await Promise.all(found) }
}

function readCriteria(filters: IdentificationFilters): Criteria {
  const { band, country, connection_type, browser, os, device_type } = filters
  const { agent_identity, agent_category, agent } = filters
  const range = band === undefined ? undefined : BANDS[band]
  const network = filters.ip?.includes('/') ? networkOf(filters.ip) : undefined
  return {
    lookups: SEARCH_TYPES.flatMap((column) => {
      const value = filters[column]
      return value === undefined || (network && column === 'ip') ? [] : [lookupOf(column, value)]
    }),
    network,
    fromMs: filters.from === undefined ? undefined : Date.parse(filters.from),
    toMs: filters.to === undefined ? undefined : Date.parse(filters.to),
    scoreMin: greatest(filters.score_min, range?.from),
    scoreMax: least(filters.score_max, range?.to),
    flag: filters.flag,
    signal: filters.signal,
    pattern: filters.pattern,
    finding: filters.finding,
    localIp: filters.local_ip === undefined ? undefined : ipv4ToNumber(filters.local_ip),
    isAgent: [agent_identity, agent_category, agent].some((asked) => asked !== undefined),
    equal: {
      ...(country !== undefined && { country: country === '' ? null : country }),
      ...(connection_type !== undefined && { connection_type }),
      ...(browser !== undefined && { browser }),
      ...(os !== undefined && { os }),
      ...(device_type !== undefined && { device_type }),
      ...(agent_identity !== undefined && agent_identity !== 'any' && { agent_identity }),
      ...(agent_category !== undefined && { agent_category }),
      ...(agent !== undefined && { agent }),
    },
  }
}

const given = (values: readonly (number | undefined)[]): number[] =>
  values.filter((value) => value !== undefined)

const greatest = (...values: (number | undefined)[]): number | undefined =>
  given(values).length === 0 ? undefined : Math.max(...given(values))

const least = (...values: (number | undefined)[]): number | undefined =>
  given(values).length === 0 ? undefined : Math.min(...given(values))

const ORDERS: Record<IdentificationFilters['sort'], Order> = {
  newest: { by: 'time', direction: 'desc' },
  oldest: { by: 'time', direction: 'asc' },
  riskiest: { by: 'score', direction: 'desc' },
  safest: { by: 'score', direction: 'asc' },
}

export const readOrder = ({ sort }: Pick<IdentificationFilters, 'sort'>): Order => ORDERS[sort]

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
  inShare: ReturnType<typeof inShareOf>,
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

/** Everything that is stored of an identification. */
export async function readDetail(
  db: Kysely<Schema>,
  row: IdentificationRow,
  siteDomain: string,
): Promise<IdentificationDetail> {
  const [{ versions, snapshot, deliveries, pending }, findings, labels] = await Promise.all([
    identificationParts(db, row),
    findingsOfRows(db, row.domain_id, [row.id]),
    labelsReaching(db, row.domain_id, subjectsOf(row)),
  ])
  const received = snapshot === undefined ? undefined : (JSON.parse(snapshot) as Received)
  return {
    row: presentRow(row, siteDomain),
    band: bandOf(row.score),
    explanation: presentExplanation(row, received?.network),
    labels: presentReachingLabels(labels),
    patterns: findings.map(presentFinding),
    versions: [...versions, row].map((version) => presentVersion(row, version)),
    snapshot: received ? { ...received } : null,
    deliveries: deliveries.map(presentDelivery),
    pending: pending.map(({ endpoint_id, attempts, due_at, body }) => ({
      endpoint_id,
      attempts,
      due_at: presentTime(due_at),
      body: Buffer.from(body).toString(),
    })),
  }
}

/** The part of a stored snapshot that is read here. */
interface Received {
  network?: NetworkEvidence
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
