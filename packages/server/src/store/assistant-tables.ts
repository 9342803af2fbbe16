// Tables of assistants that act for users, part of the schema.

/** A program that registered itself (RFC 7591). It has no secret; most are forgotten unused. */
export interface AssistantClientTable {
  id: string
  /** As it calls itself. */
  name: string
  /** JSON array. */
  redirect_uris: string
  created_at: number
  /** A day after the registration, until a user allows it something. */
  expires_at: number
}

/** What a user allowed an assistant, from the code that it was given to its latest tokens. */
export interface AssistantGrantTable {
  domain_id: number
  /** Hex digits. */
  id: string
  user_id: number
  client_id: string
  client_name: string
  /** Separated by blanks. */
  scopes: string
  created_at: number
  /** When it last got an access token; NULL while it has only the code. */
  used_at: number | null
  expires_at: number
  /** SHA-256 of the authorization code, which works once. */
  code_hash: Uint8Array
  code_expires_at: number
  /** What the verifier of the code must hash to (RFC 7636). */
  code_challenge: string
  /** To which the code was sent. */
  redirect_uri: string
  /** SHA-256 of the latest access token. */
  access_hash: Uint8Array | null
  access_expires_at: number
  /** SHA-256 of the part that all refresh tokens of the grant share. */
  family_hash: Uint8Array | null
  /** SHA-256 of the latest refresh token. */
  refresh_hash: Uint8Array | null
}

/** A change that an assistant wants and a person confirms or declines within a day. */
export interface AssistantProposalTable {
  domain_id: number
  /** Hex digits. */
  id: string
  /** For whom the assistant acts. */
  user_id: number
  client_name: string
  /** Of the contract's `PROPOSABLE`. */
  operation: string
  /** JSON of the parameters and the body, as they will be used. */
  request: string
  /** In the words of the assistant. */
  why: string
  created_at: number
  expires_at: number
}
