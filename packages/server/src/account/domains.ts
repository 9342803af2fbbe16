import { presentTime } from '@inkling/contract'
import {
  type AccountDomain,
  type DOMAIN_OPERATIONS,
  type RoleHolder,
  rightsIn,
} from '@inkling/contract/account'
import { domainChange, missingKey } from '../auth/domain-change.ts'
import { domainName, newDomain, newKey } from '../auth/register-domain.ts'
import { newVerdictKey } from '../auth/verdict-keys.ts'
import { DAY_MS } from '../lib/durations.ts'
import { AppError } from '../lib/errors.ts'
import {
  type DomainRow,
  domainActivity,
  domainStore,
  type EndpointRow,
  endpointStore,
} from '../store/domains/domains.ts'
import { originOf, readOrigins } from '../store/domains/origins.ts'
import type { Store } from '../store/store.ts'
import { recordChange } from './audit.ts'
import type { AccountDeps, Handlers } from './handler.ts'

export const domainOperations: Handlers<typeof DOMAIN_OPERATIONS> = {
  /** The only list across domains: it has those in which the user has a right. */
  listDomains: async ({ caller }, deps) => {
    const rows = await domainStore(deps.store.reads).list()
    const seen = rows.filter(({ name }) => rightsIn(caller, name).size > 0)
    return Promise.all(seen.map((row) => presentDomain(row, caller, deps)))
  },

  addDomain: async ({ body, caller }, deps) => {
    const name = domainName(body.domain)
    if (name === undefined)
      throw new AppError('INK_INVALID_FIELD', 'domain: a name in lower case, without scheme, path or www.')
    const { row, keys } = newDomain(name, deps.now())
    const entry = { actor: caller.email, action: 'domain.add', target: name }
    const added = await recordChange(deps, entry, (transaction) => domainStore(transaction).add(row))
    if (!added) throw new AppError('INK_DOMAIN_EXISTS')
    return keys
  },

  getDomain: async ({ params, caller }, deps) =>
    presentDomain(await findDomain(deps.store, params.domain), caller, deps),

  changeDomain: async ({ params, body, caller }, deps) => {
    const row = await findDomain(deps.store, params.domain)
    const { id, name } = row
    const missing = missingKey(row, body)
    if (missing) throw new AppError('INK_INVALID_FIELD', `${NEEDS[missing]}: make a ${missing} key first`)
    const { change, detail } = domainChange({
      ...body,
      ...(body.origins && { origins: originsOf(body.origins, name) }),
    })
    const entry = { actor: caller.email, action: 'domain.change', target: name, detail }
    const changed = await recordChange(deps, entry, (transaction) =>
      domainStore(transaction).change(id, change),
    )
    if (!changed) throw new AppError('INK_NOT_FOUND', 'no such domain')
    return presentDomain(changed, caller, deps)
  },

  rotateKey: async ({ params, caller }, deps) => {
    const { id, name } = await findDomain(deps.store, params.domain)
    const { kind } = params
    const { key, change: replacement } = newKey(kind, deps.secrets)
    const entry = { actor: caller.email, action: 'key.rotate', target: name, detail: { kind } }
    await recordChange(deps, entry, (transaction) => domainStore(transaction).change(id, replacement))
    await deps.keyRotated(name, kind, key)
    return { kind, key }
  },

  rotateVerdictKey: async ({ params, body, caller }, deps) => {
    const domain = await findDomain(deps.store, params.domain)
    const nowMs = deps.now()
    const fromMs = body.at_once ? nowMs : nowMs + deps.secretOverlapMs
    const made = newVerdictKey(domain, deps.secrets, { nowMs, fromMs })
    const detail = { kind: 'verdict', key_id: made.keyId }
    const entry = { actor: caller.email, action: 'key.rotate', target: domain.name, detail }
    await recordChange(deps, entry, (transaction) => domainStore(transaction).change(domain.id, made.change))
    return { key_id: made.keyId, key: made.key, seals_from: presentTime(made.fromMs) }
  },
}

/** The setting that needs a key. */
const NEEDS = { user: 'signed_users_only', verdict: 'sealed_verdicts' } as const

/** @throws AppError `INK_INVALID_FIELD` for an origin of another domain */
const originsOf = (texts: readonly string[], domain: string): string[] =>
  texts.map((text) => {
    const origin = originOf(text, domain)
    if (origin === undefined)
      throw new AppError(
        'INK_INVALID_FIELD',
        `origins: ${text} is no origin of ${domain} or of its subdomains`,
      )
    return origin
  })

async function presentDomain(
  row: DomainRow,
  caller: RoleHolder,
  { store, now }: Pick<AccountDeps, 'store' | 'now'>,
): Promise<AccountDomain> {
  const activity = await domainActivity(store.reads, row.id, now() - DAY_MS)
  return {
    domain: row.name,
    enabled: row.enabled === 1,
    remaining: row.remaining,
    has_volume: row.has_volume === 1,
    created_at: presentTime(row.created_at),
    public_key: row.public_key,
    secret_key_tail: row.secret_key_tail,
    identifications_last_day: activity.identifications,
    last_identification_at: activity.newestAtMs === undefined ? null : presentTime(activity.newestAtMs),
    endpoints: activity.endpoints,
    origins: readOrigins(row)?.values().toArray() ?? null,
    stored_bytes: Math.max(0, row.stored_bytes),
    disk_budget_bytes: row.disk_budget,
    has_user_key: row.sealed_user_key !== null,
    signed_users_only: row.signed_users_only === 1,
    sealed_verdicts: row.sealed_verdicts === 1,
    has_verdict_key: row.verdict_key !== null,
    review_cases: row.review_cases === 1,
    review_hours: row.review_hours,
    false_merge_cost: row.false_merge_cost,
    rights: [...rightsIn(caller, row.name)],
  }
}

/** @throws AppError `INK_NOT_FOUND` when no domain has this name */
export async function findDomain({ reads }: Store, name: string): Promise<DomainRow> {
  const domain = await domainStore(reads).find(name)
  if (!domain) throw new AppError('INK_NOT_FOUND', 'no such domain')
  return domain
}

export interface EndpointInPath {
  domain: string
  endpoint_id: number
}

/** @throws AppError `INK_NOT_FOUND` without such a domain or endpoint */
export async function findEndpoint(
  store: Store,
  { domain: name, endpoint_id }: EndpointInPath,
): Promise<{ domain: DomainRow; endpoint: EndpointRow }> {
  const domain = await findDomain(store, name)
  const endpoint = await endpointStore(store.reads).find(domain.id, endpoint_id)
  if (!endpoint) throw NO_ENDPOINT()
  return { domain, endpoint }
}

export const NO_ENDPOINT = (): AppError => new AppError('INK_NOT_FOUND', 'no such endpoint')
