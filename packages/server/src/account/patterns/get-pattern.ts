import { namesAccount, namesOne } from '@inkling/contract'
import type { PatternFindingDetail, PatternValue } from '@inkling/contract/account'
import { presentRow } from '../../history/present-row.ts'
import { PATTERNS } from '../../jobs/patterns/patterns.ts'
import { AppError } from '../../lib/errors.ts'
import { ipv4ToText } from '../../lib/ipv4-number.ts'
import { uuidToText } from '../../lib/uuid.ts'
import { findingRows, getFinding } from '../../store/findings/findings.ts'
import type { IdentificationRow } from '../../store/identifications/identifications.ts'
import { findDomain } from '../find-domain.ts'
import type { Handler } from '../handler.ts'
import { presentFinding } from './present-finding.ts'

export const getPattern: Handler<'getPattern'> = async ({ params }, { store }) => {
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
}

const valuesOf = (rows: readonly IdentificationRow[]): PatternFindingDetail['values'] => ({
  device_id: counted(rows, (row) => one(row.device_id)),
  visitor_id: counted(rows, (row) => one(row.visitor_id)),
  cookie_id: counted(rows, (row) => one(row.cookie_id)),
  user_hid: counted(rows, ({ user_hid }) => (namesAccount(user_hid) ? user_hid : undefined)),
  ip: counted(rows, ({ ip }) => (ip === null ? undefined : ipv4ToText(ip))),
  country: counted(rows, ({ country }) => country ?? undefined),
})

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
