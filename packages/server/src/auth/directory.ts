import type { AgentRule, ApiKeyScope, OwnWeights } from '@inkling/contract'
import type { SecretBox } from '../lib/secret-box.ts'
import { uuidToText } from '../lib/uuid.ts'
import {
  type DecisionRuleRow,
  type DecisionRules,
  type DecisionThresholdRow,
  decisionRuleStore,
  NO_THRESHOLDS,
  readDecisionRule,
} from '../store/decision-rules/decision-rules.ts'
import { type AgentPolicyRow, agentPolicyStore, readAgentRules } from '../store/domains/agent-policies.ts'
import { type ApiKeyRow, apiKeyStore } from '../store/domains/api-keys.ts'
import { type DomainRulesRow, domainRulesStore, readWeights } from '../store/domains/domain-rules.ts'
import { type DomainRow, domainStore, type EndpointRow, endpointStore } from '../store/domains/domains.ts'
import { readOrigins } from '../store/domains/origins.ts'
import type { DomainLists } from '../store/lists/list-index.ts'
import { loadedLists } from '../store/lists/load-lists.ts'
import type { Store } from '../store/store.ts'
import { readScopes } from './api-keys.ts'
import { openSigningSecrets, type SigningSecrets } from './signing-secrets.ts'
import { openVerdictKeys, type VerdictKeyAt } from './verdict-keys.ts'

export interface Endpoint {
  id: number
  domainId: number
  url: string
  secrets: SigningSecrets
  /** Whether it receives `device.merged` and `device.split`. */
  deviceEvents: boolean
}

/** What requests need of an enabled domain. Counters change with each identification and are not in it. */
export interface Domain {
  id: number
  name: string
  /** Namespace of the domain's device and visitor IDs (UUIDv5). */
  namespace: string
  secretKeyHash: Uint8Array
  /** The origins whose pages may use the Public Key; undefined for the domain and all of its subdomains. */
  origins: ReadonlySet<string> | undefined
  /** The key by which the customer signs account identifiers, and whether unsigned ones are dropped. */
  userKey?: { key: string; isRequired: boolean } | undefined
  /** The key that seals verdicts for the customer's backend; undefined where none are. */
  verdictKey?: VerdictKeyAt | undefined
  /** What a false merge of two devices costs it, in false splits; undefined for the cost of the release. */
  falseMergeCost?: number | undefined
  /** Enabled ones only. */
  endpoints: Endpoint[]
  /** The domain's active weights; undefined if it uses those of the release. */
  ownRules: { version: number; weights: OwnWeights } | undefined
  /** What to do with requests of declared agents. */
  agentRules: readonly AgentRule[]
  /** Its allow, deny and watch lists. */
  lists: DomainLists
  /** What it answers questions about visits by. */
  decisionRules: DecisionRules
}

/** An API key of an enabled domain: the Private API Key, or a named one with what limits it. */
export interface ApiKey {
  domain: Domain
  named?: { id: string; scopes: ReadonlySet<ApiKeyScope>; endsAtMs: number }
}

/**
 * The enabled domains in memory, by key, so that an identification needs no query for them. A refresh picks up the
 * changes of other processes, such as the command line.
 */
export interface Directory {
  byPublicKey(key: string): Domain | undefined
  /** Expired ones as well. */
  apiKey(hash: Uint8Array): ApiKey | undefined
  byName(name: string): Domain | undefined
  byId(id: number): Domain | undefined
  endpoint(id: number): Endpoint | undefined
  /** Reads the tables again if anything changed. */
  refresh(): Promise<void>
}

interface Contents {
  version: number
  byPublicKey: Map<string, Domain>
  apiKeys: Map<string, ApiKey>
  byName: Map<string, Domain>
  byId: Map<number, Domain>
  endpoints: Map<number, Endpoint>
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

export async function openDirectory(store: Store, secrets: SecretBox): Promise<Directory> {
  const lists = loadedLists(store.reads)
  let contents = await read(store, secrets, lists.of)
  await lists.refresh()
  return {
    byPublicKey: (key) => contents.byPublicKey.get(key),
    apiKey: (hash) => contents.apiKeys.get(hex(hash)),
    byName: (name) => contents.byName.get(name),
    byId: (id) => contents.byId.get(id),
    endpoint: (id) => contents.endpoints.get(id),
    async refresh() {
      const version = await domainStore(store.reads).directoryVersion()
      if (version !== contents.version) contents = await read(store, secrets, lists.of)
      await lists.refresh()
    },
  }
}

type ListsOf = (domainId: number) => DomainLists

async function read(store: Store, secrets: SecretBox, listsOf: ListsOf): Promise<Contents> {
  // The version first: a change during the reads then causes another read and is never missed.
  const version = await domainStore(store.reads).directoryVersion()
  const domains = await domainStore(store.reads).list()
  const apiKeys = await apiKeyStore(store.reads).listAll()
  const endpoints = await endpointStore(store.reads).listAll()
  const rules = await domainRulesStore(store.reads).listActive()
  const policies = await agentPolicyStore(store.reads).listActive()
  const decisionRules = await decisionRuleStore(store.reads).listLatest()
  const thresholds = await decisionRuleStore(store.reads).listThresholds()
  return contentsOf(
    { version, domains, apiKeys, endpoints, rules, policies, decisionRules, thresholds },
    secrets,
    listsOf,
  )
}

interface Tables {
  version: number
  domains: readonly DomainRow[]
  apiKeys: readonly ApiKeyRow[]
  endpoints: readonly EndpointRow[]
  rules: readonly DomainRulesRow[]
  policies: readonly AgentPolicyRow[]
  decisionRules: readonly DecisionRuleRow[]
  thresholds: readonly DecisionThresholdRow[]
}

function contentsOf(
  { version, domains, apiKeys, endpoints, rules, policies, decisionRules, thresholds }: Tables,
  secrets: SecretBox,
  listsOf: ListsOf,
): Contents {
  const contents: Contents = {
    version,
    byPublicKey: new Map(),
    apiKeys: new Map(),
    byName: new Map(),
    byId: new Map(),
    endpoints: new Map(),
  }
  const rulesOf = new Map(rules.map((row) => [row.domain_id, row]))
  const policyOf = new Map(policies.map((row) => [row.domain_id, row]))
  const decidedBy = Map.groupBy(decisionRules, (row) => row.domain_id)
  const thresholdsOf = new Map(thresholds.map(({ domain_id, ...levels }) => [domain_id, levels]))
  for (const row of domains) {
    if (row.enabled === 0) continue
    const own = rulesOf.get(row.id)
    const policy = policyOf.get(row.id)
    const domain: Domain = {
      id: row.id,
      name: row.name,
      namespace: uuidToText(row.namespace),
      secretKeyHash: row.secret_key_hash,
      origins: readOrigins(row),
      userKey:
        row.sealed_user_key === null
          ? undefined
          : { key: secrets.open(row.sealed_user_key), isRequired: row.signed_users_only === 1 },
      verdictKey: openVerdictKeys(row, secrets),
      falseMergeCost: row.false_merge_cost ?? undefined,
      endpoints: [],
      ownRules: own && { version: own.version, weights: readWeights(own) },
      agentRules: policy ? readAgentRules(policy) : [],
      lists: listsOf(row.id),
      decisionRules: {
        rules: (decidedBy.get(row.id) ?? []).map(readDecisionRule),
        thresholds: thresholdsOf.get(row.id) ?? NO_THRESHOLDS,
      },
    }
    contents.byId.set(row.id, domain)
    contents.byPublicKey.set(row.public_key, domain)
    contents.apiKeys.set(hex(row.api_key_hash), { domain })
    contents.byName.set(row.name, domain)
  }
  for (const row of apiKeys) {
    const domain = contents.byId.get(row.domain_id)
    if (domain) for (const [hash, key] of namedKeys(row, domain)) contents.apiKeys.set(hash, key)
  }
  for (const row of endpoints) {
    const domain = contents.byId.get(row.domain_id)
    if (!domain || row.enabled === 0) continue
    const endpoint = {
      id: row.id,
      domainId: row.domain_id,
      url: row.url,
      secrets: openSigningSecrets(row, secrets),
      deviceEvents: row.device_events === 1,
    }
    domain.endpoints.push(endpoint)
    contents.endpoints.set(row.id, endpoint)
  }
  return contents
}

/** The key, and the one before it while it may still be used. */
function namedKeys(row: ApiKeyRow, domain: Domain): [hash: string, key: ApiKey][] {
  const { id, expires_at, previous_hash, previous_until } = row
  const scopes = new Set(readScopes(row))
  const current: ApiKey = { domain, named: { id, scopes, endsAtMs: expires_at ?? Infinity } }
  if (previous_hash === null) return [[hex(row.key_hash), current]]
  const previous: ApiKey = { domain, named: { id, scopes, endsAtMs: previous_until ?? 0 } }
  return [
    [hex(row.key_hash), current],
    [hex(previous_hash), previous],
  ]
}
