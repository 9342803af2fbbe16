import type { DomainChange as SettingsBody } from '@inkling/contract/account'
import type { z } from 'zod'
import type { DomainChange, DomainRow } from '../store/domains/domains.ts'
import { originsColumn } from '../store/domains/origins.ts'
import type { AuditEntry } from '../store/users/users.ts'

/** Settings of a domain to change; origins are in the form of `originOf`. */
export type DomainSettings = z.output<typeof SettingsBody>

interface ChangedDomain {
  /** The columns to write. */
  change: DomainChange
  /** The new values, for the audit log. */
  detail: NonNullable<AuditEntry['detail']>
}

/** What a change of settings writes, and what the audit log says of it. */
export const domainChange = (settings: DomainSettings): ChangedDomain => ({
  change: columnsOf(settings),
  detail: detailOf(settings),
})

/** The key that the settings need and the domain does not have; undefined if nothing is missing. */
export function missingKey(
  { sealed_user_key, verdict_key }: Pick<DomainRow, 'sealed_user_key' | 'verdict_key'>,
  { signed_users_only, sealed_verdicts }: DomainSettings,
): 'user' | 'verdict' | undefined {
  if (signed_users_only && sealed_user_key === null) return 'user'
  if (sealed_verdicts && verdict_key === null) return 'verdict'
  return undefined
}

const columnsOf = (settings: DomainSettings): DomainChange => ({
  ...(settings.enabled !== undefined && { enabled: settings.enabled ? 1 : 0 }),
  ...(settings.remaining !== undefined && { remaining: settings.remaining }),
  ...(settings.origins !== undefined && { origins: originsColumn(settings.origins) }),
  ...(settings.disk_budget_bytes !== undefined && { disk_budget: settings.disk_budget_bytes }),
  ...(settings.signed_users_only !== undefined && { signed_users_only: settings.signed_users_only ? 1 : 0 }),
  ...(settings.sealed_verdicts !== undefined && { sealed_verdicts: settings.sealed_verdicts ? 1 : 0 }),
  ...(settings.review_cases !== undefined && { review_cases: settings.review_cases ? 1 : 0 }),
  ...(settings.review_hours !== undefined && { review_hours: settings.review_hours }),
  ...(settings.false_merge_cost !== undefined && { false_merge_cost: settings.false_merge_cost }),
})

const detailOf = (settings: DomainSettings): ChangedDomain['detail'] => ({
  ...(settings.enabled !== undefined && { enabled: settings.enabled }),
  ...(settings.remaining !== undefined && { remaining: settings.remaining }),
  ...(settings.origins !== undefined && { origins: settings.origins?.join() ?? 'any' }),
  ...(settings.disk_budget_bytes !== undefined && {
    disk_budget_bytes: settings.disk_budget_bytes ?? 'none',
  }),
  ...(settings.signed_users_only !== undefined && { signed_users_only: settings.signed_users_only }),
  ...(settings.sealed_verdicts !== undefined && { sealed_verdicts: settings.sealed_verdicts }),
  ...(settings.review_cases !== undefined && { review_cases: settings.review_cases }),
  ...(settings.review_hours !== undefined && { review_hours: settings.review_hours }),
  ...(settings.false_merge_cost !== undefined && {
    false_merge_cost: settings.false_merge_cost ?? 'of the release',
  }),
})
