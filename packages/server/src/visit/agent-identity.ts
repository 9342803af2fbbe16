import type { AgentCategory } from '@inkling/contract'

/*
 * Who a request says it comes from, when that is a program that declares itself, and what vouches for it. Plain JSON: it
 * is stored with the snapshot. Claim, proof and judgement are kept apart: a claim costs nothing, and a proof says which
 * operator sent the request, not that its request is welcome.
 */

/**
 * `verified`: an agent of the catalogue, proven by its operator's key or address; `signed`: a valid signature of an
 * operator that the catalogue does not know; `spoofed`: the proof that the claimed operator offers says otherwise;
 * `unknown`: neither proven nor refuted.
 */
export type AgentStanding = 'verified' | 'signed' | 'spoofed' | 'unknown'

export type AgentProof = 'signature' | 'published_range' | 'reverse_dns'

/** What a commerce profile's tag says that the agent is about to do. */
export type AgentPurpose = 'browse' | 'pay'

/** A request with a signature, as far as signatures can cover it. It is not stored. */
export interface SignedRequest {
  method: string
  scheme: 'http' | 'https'
  /** Under which the client may have known this server, the likeliest first: proxies rewrite it. */
  authorities: readonly string[]
  /** Path and query, in the same way. */
  targets: readonly string[]
  /** Names in lower case, in the order in which they came. */
  headers: readonly (readonly [name: string, value: string])[]
}

/** `pending`: the operator's keys are being fetched. `refused` has a reason. */
export interface SignatureCheck {
  state: 'valid' | 'pending' | 'refused'
  reason?: SignatureRefusal | undefined
  /** Origin whose key directory vouches for the key. */
  directory?: string | undefined
  keyId?: string | undefined
  tag?: string | undefined
  purpose?: AgentPurpose | undefined
  /** Parts of the request that the signature covers: the scope of the proof. */
  components: readonly string[]
  createdAt?: number | undefined
  expiresAt?: number | undefined
}

export type SignatureRefusal =
  | 'malformed'
  | 'unsupported_algorithm'
  | 'unsupported_component'
  | 'missing_component'
  | 'missing_time'
  | 'not_yet_valid'
  | 'expired'
  | 'no_signature_agent'
  | 'unsupported_signature_agent'
  | 'directory_unavailable'
  | 'unknown_key'
  | 'published_private_key'
  | 'wrong_signature'
  | 'replayed'

export interface AgentIdentity {
  standing: AgentStanding
  /** Of the catalogue; undefined for an agent that it does not have. */
  id?: string | undefined
  name: string
  operator?: string | undefined
  category?: AgentCategory | undefined
  claims: readonly { by: 'user_agent' | 'signature'; value: string }[]
  proof?: AgentProof | undefined
  signature?: SignatureCheck | undefined
}
