import type { CaseAddition } from '@inkling/contract/account'
import type { Kysely } from 'kysely'
import type { z } from 'zod'
import { caseWorkers } from '../auth/domain-roles.ts'
import { presentRow } from '../history/present-row.ts'
import { AppError } from '../lib/errors.ts'
import { uuidBytesOrNil } from '../lib/uuid.ts'
import { caseStore } from '../store/cases/cases.ts'
import { getFinding } from '../store/findings/findings.ts'
import type { Schema } from '../store/schema.ts'
import type { CaseActor } from './case-change.ts'
import { presentFinding } from './patterns.ts'

/**
 * Adds a note and copies of a visit and a finding to a case, as they are now. Needs a transaction.
 * @throws AppError `INK_NOT_FOUND` without such a visit or finding
 */
export async function attachEvidence(
  transaction: Kysely<Schema>,
  { id: domainId, name }: { id: number; name: string },
  caseId: number,
  { note, request_id, finding }: Partial<z.output<typeof CaseAddition>>,
  { author, nowMs }: CaseActor,
): Promise<void> {
  const cases = caseStore(transaction)
  const by = { atMs: nowMs, author }
  if (request_id !== undefined) {
    const requestId = uuidBytesOrNil(request_id)
    const row = await transaction
      .selectFrom('identifications')
      .selectAll()
      .where('domain_id', '=', domainId)
      .where('request_id', '=', requestId)
      .executeTakeFirst()
    if (!row) throw new AppError('INK_NOT_FOUND', 'no such identification')
    const body = { identification: presentRow(row, name) }
    await cases.addEvent(domainId, caseId, { kind: 'evidence', ...by, requestId, body })
  }
  if (finding !== undefined) {
    const row = await getFinding(transaction, domainId, finding)
    if (!row) throw new AppError('INK_NOT_FOUND', 'no such finding')
    const body = { finding: presentFinding(row) }
    await cases.addEvent(domainId, caseId, { kind: 'evidence', ...by, reference: `finding:${finding}`, body })
  }
  if (note !== undefined) {
    const body = { text: note, mentions: await mentionedIn(transaction, domainId, note) }
    await cases.addEvent(domainId, caseId, { kind: 'note', ...by, body })
  }
}

/** Who works on cases of the domain and whose address stands after an @. */
async function mentionedIn(transaction: Kysely<Schema>, domainId: number, note: string): Promise<string[]> {
  if (!note.includes('@')) return []
  const words = new Set(note.split(/[\s,;:()]+/).map((word) => word.replace(/[.!?]+$/, '')))
  const people = await caseWorkers(transaction, domainId)
  return people.filter((email) => words.has(`@${email}`))
}
