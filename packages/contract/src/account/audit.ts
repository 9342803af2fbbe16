import { z } from 'zod'
import { DomainPath, NO_DOMAIN, nextCursor, paging, Timestamp } from './fields.ts'
import type { AccountOperation, Examples } from './operation.ts'

export const AuditRecord = z
  .object({
    id: z.int().describe('Number of the record'),
    at: Timestamp.describe('Time of the change'),
    actor: z.string().describe('E-mail address of the user, or `command line`'),
    action: z.string().describe('Kind of change, such as `domain.add`'),
    target: z.string().describe('What was changed, such as a domain'),
    detail: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
      .describe('New values, without secrets'),
  })
  .describe('One change')
export type AuditRecord = z.infer<typeof AuditRecord>

export const AuditPage = z
  .object({ data: z.array(AuditRecord).describe('Newest first'), next: nextCursor })
  .describe('One page of the audit log')
export type AuditPage = z.infer<typeof AuditPage>

export const AUDIT_OPERATIONS = {
  listAudit: {
    method: 'GET',
    path: '/account/audit',
    access: 'owner',
    summary: 'Read the audit log',
    query: z.strictObject(paging),
    answer: AuditPage,
  },
  listDomainAudit: {
    method: 'GET',
    path: '/account/domains/{domain}/audit',
    access: 'audit:read',
    summary: 'Read the changes of a domain',
    description:
      'What the audit log has of this domain since it was added here, and nothing of other domains, of accounts or of the installation.',
    params: DomainPath,
    query: z.strictObject(paging),
    answer: AuditPage,
    errors: NO_DOMAIN,
  },
} as const satisfies Record<string, AccountOperation>

const PAGE: AuditPage = {
  data: [
    {
      id: 12,
      at: '2026-10-08T14:25:00.000Z',
      actor: 'mira@brewline.example',
      action: 'key.rotate',
      target: 'brewline.example',
      detail: { kind: 'public' },
    },
  ],
  next: null,
}

export const AUDIT_EXAMPLES: Examples<typeof AUDIT_OPERATIONS> = {
  listAudit: { answer: PAGE },
  listDomainAudit: { answer: PAGE },
}
