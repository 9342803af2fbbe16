import type { DomainRole, Role } from '@inkling/contract/account'
import type { Generated } from 'kysely'

// Tables of the people who sign in to the dashboard, part of the schema.

/** A user of the dashboard. */
export interface UserTable {
  id: Generated<number>
  /** In lower case. */
  email: string
  /** PHC string of argon2id. */
  password_hash: string
  /** In the whole installation. Releases before `domain_members` take a `member` for an analyst. */
  role: Role
  created_at: number
  /** Secret of the authenticator app, encrypted; null without one. */
  totp_secret: Uint8Array | null
  /** A secret that no code has confirmed yet, encrypted. */
  totp_pending: Uint8Array | null
  /** The newest time step whose code was used: a code works once. */
  totp_step: Generated<number>
  /** Issuer and subject of the identity provider's account; null for who never signed in with it. */
  provider_subject: string | null
  /**
   * The domain whose owner invited the user and saw the link, so that nobody has confirmed the address. Null where an
   * owner of the installation or the identity provider did.
   */
  invited_into: number | null
}

/** A role of a user in one domain. */
export interface DomainMemberTable {
  domain_id: number
  user_id: number
  role: DomainRole
  /** E-mail address, or `command line`. */
  given_by: string
  given_at: number
}

/** A login. Each use replaces its refresh token; the one before the latest is valid for a moment longer. */
export interface SessionTable {
  id: Generated<number>
  user_id: number
  /** The part that all refresh tokens of the login share. */
  family: Uint8Array
  /** SHA-256 of the latest refresh token. */
  token_hash: Uint8Array
  created_at: number
  expires_at: number
  /** SHA-256 of the refresh token before the latest one. */
  previous_hash: Uint8Array | null
  /** When the latest refresh token replaced it. */
  rotated_at: number | null
  /** When its user last proved who they are. */
  proven_at: Generated<number>
  /** The browser as it named itself. */
  browser: Generated<string>
}

/** What signs in once in place of a lost second factor. */
export interface RecoveryCodeTable {
  user_id: number
  /** SHA-256 of the code. */
  code_hash: Uint8Array
}

export interface PasskeyTable {
  id: Generated<number>
  user_id: number
  /** In base64url, as browsers name it. */
  credential_id: string
  /** In COSE form. */
  public_key: Uint8Array
  /** Grows with each use, where the authenticator counts. */
  counter: number
  /** JSON array of how browsers reach the authenticator. */
  transports: string
  name: string
  created_at: number
  used_at: number | null
}

/** A link that lets somebody choose a password. Used ones are removed. */
export interface InvitationTable {
  id: Generated<number>
  /** SHA-256 of the token in the link. */
  token_hash: Uint8Array
  email: string
  /** A user who gets a new password; null for somebody new. */
  user_id: number | null
  role: Role
  invited_by: string
  expires_at: number
  /** Into which a new person is invited; null for the installation alone. */
  domain_id: number | null
  domain_role: DomainRole | null
}

/** An unfinished sign-in or a challenge to a passkey. Finished ones are removed. */
export interface LoginStepTable {
  /** SHA-256 of the token that its browser holds. */
  token_hash: Uint8Array
  kind: string
  user_id: number | null
  /** JSON. */
  data: string
  expires_at: number
}

/** Who changed what. It holds neither secrets nor visitors' identifiers, so an erasure has nothing to remove here. */
export interface AuditTable {
  id: Generated<number>
  at: number
  /** E-mail address, `command line` or `server`. */
  actor: string
  /** Such as `domain.add`. */
  action: string
  /** The changed object, such as a domain's name. */
  target: string
  /** JSON object of the new values. */
  detail: string
}

/** Filters of a page of the dashboard under a name. */
export interface SavedViewTable {
  domain_id: number
  /** Hex digits, of which links are made. */
  id: string
  /** Of the contract's `VIEW_PAGES`. */
  page: string
  name: string
  /** Query of the page's address. */
  search: string
  /** E-mail address of a user; NULL where that user was removed. */
  owner: string | null
  shared: number
  changed_at: number
}
