import type { AccountDomain } from '@inkling/contract/account'
import { type DomainRow, domainActivity } from '../../store/domains/domains.ts'
import type { AccountDeps } from '../account-deps.ts'
import { presentTime } from '../present-time.ts'

const DAY_MS = 86_400_000

export async function presentDomain(
  row: DomainRow,
  { store, now }: Pick<AccountDeps, 'store' | 'now'>,
): Promise<AccountDomain> {
  const activity = await domainActivity(store.reads, row.id, now() - DAY_MS)
  return {
    domain: row.name,
    enabled: row.enabled === 1,
    remaining: row.remaining,
    created_at: presentTime(row.created_at),
    public_key: row.public_key,
    secret_key_tail: row.secret_key_tail,
    identifications_last_day: activity.identifications,
    last_identification_at: activity.newestAtMs === undefined ? null : presentTime(activity.newestAtMs),
    endpoints: activity.endpoints,
  }
}
