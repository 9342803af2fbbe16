import type { Generated } from 'kysely'

// Tables of the installation and its domains, with what they are set to.

/** One row in the embedded database, which keeps its secrets in a file: see `check-parts.ts`. */
export interface InstallationTable {
  id: number
  /** Hash of the key in that file. */
  secrets_hash: Uint8Array
  /** 0 or 1: whether pages that releases without `secure_delete` freed were overwritten. */
  free_pages_overwritten: Generated<number>
}

/** At most one row: JSON of what commands need to know of the server that started last. */
export interface ServerSettingsTable {
  id: number
  body: string
}

/** One row. Servers reload keys, endpoints and weights when the version changes. */
export interface DirectoryVersionTable {
  id: number
  version: number
}

export interface DomainTable {
  id: Generated<number>
  name: string
  /** 0 or 1. */
  enabled: number
  /** Identifications left in the volume; negative once it is exceeded. */
  remaining: number
  /** 1 if somebody set the volume. Nobody wants to hear of any other one. */
  has_volume: number
  created_at: number
  /** Random UUID, the namespace of the domain's device and visitor IDs. */
  namespace: Uint8Array
  public_key: string
  secret_key_hash: Uint8Array
  secret_key_tail: string
  api_key_hash: Uint8Array
  /** Estimate of what its identifications take on disk. */
  stored_bytes: Generated<number>
  /** How many bytes they may take; NULL without a limit. */
  disk_budget: number | null
  /** JSON array of the origins whose pages may use the Public Key; NULL for the domain and all of its subdomains. */
  origins: string | null
  /** The key by which the customer signs account identifiers; NULL without one. */
  sealed_user_key: Uint8Array | null
  /** 0 or 1: whether unsigned ones are dropped. */
  signed_users_only: Generated<number>
  /** 0 or 1: whether acknowledgments carry a verdict that is sealed for the customer's backend. */
  sealed_verdicts: Generated<number>
  /** The key that seals it; NULL before there is one. */
  verdict_key: Uint8Array | null
  /** The key that replaces it, and from when on. */
  next_verdict_key: Uint8Array | null
  next_verdict_from: number | null
  /** 0 or 1: whether decisions `review` open cases. */
  review_cases: Generated<number>
  /** How long after it was opened a case is due. */
  review_hours: Generated<number>
  /** The number of its newest case. */
  case_number: Generated<number>
  /** What a false merge of two devices costs, in false splits; NULL for the cost of the release. */
  false_merge_cost: number | null
}

export interface EndpointTable {
  id: Generated<number>
  domain_id: number
  url: string
  sealed_secret: Uint8Array
  state: 'unverified' | 'verified' | 'failed'
  /** 0 or 1. */
  enabled: number
  /** 1 for the one endpoint that the older callback route sets. */
  is_callback: number
  /** 0 or 1: whether it receives `pattern.changed`. */
  pattern_events: number
  /** 0 or 1: whether it receives `decision.changed`. */
  decision_events: Generated<number>
  /** 0 or 1: whether it receives `device.merged` and `device.split`. */
  device_events: Generated<number>
  /** The secret before the last rotation, and when it stops being valid. */
  previous_secret: Uint8Array | null
  previous_until: number | null
  /** Time of the first failed send after the last accepted one, and the failures since; NULL without any. */
  failing_since: number | null
  failed_sends: Generated<number>
  /** When the server disabled it because its sends kept failing; NULL when an operator did. */
  disabled_at: number | null
  created_at: number
}

/** A saved version of a domain's own weights. Only `active` changes afterwards. */
export interface DomainRulesTable {
  domain_id: number
  /** 1 for the first version of a domain. */
  version: number
  created_at: number
  /** E-mail address of the user who saved it. */
  actor: string
  note: string
  /** JSON object of points by signal name. */
  weights: string
  /** 1 for the version in use. Domains without one use the weights of the release. */
  active: number
}

/** A saved version of a domain's rules for declared agents. Only `active` changes afterwards. */
export interface AgentPolicyTable {
  domain_id: number
  /** 1 for the first version of a domain. */
  version: number
  created_at: number
  /** E-mail address of the user who saved it. */
  actor: string
  note: string
  /** JSON array of the contract's agent rules. */
  rules: string
  /** 1 for the version in use. Domains without one have no rules. */
  active: number
}

/** A named API key of a domain, beside the one in `domains`. */
export interface ApiKeyTable {
  domain_id: number
  /** Hex digits. */
  id: string
  name: string
  /** JSON array of the contract's scopes. */
  scopes: string
  key_hash: Uint8Array
  key_tail: string
  /** E-mail address, or `command line`. */
  created_by: string
  created_at: number
  /** NULL for never. */
  expires_at: number | null
  /** The hour of the last use; NULL before the first. */
  used_at: number | null
  rotated_at: number | null
  /** The key before the last rotation, and when it stops being valid. */
  previous_hash: Uint8Array | null
  previous_until: number | null
}

/** A node that runs, at the address where the others reach it. */
export interface NodeTable {
  address: string
  seen_at: number
}

/** Domains with removed rows of which the engine still has something. */
export interface UnscrubbedDomainTable {
  domain_id: number
  /** A random number of the last transaction that removed rows. */
  removal: number
  /** The number of the removal after which orphan keys were removed; NULL before. */
  keys_removal: number | null
}
