import { type Kysely, sql } from 'kysely'
import { ID, TEXT } from './0001-initial-devices-and-accounts.ts'

/** Second factors, invitations, steps of a sign-in, and what a session has to know for them. */
export async function addPeople(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}

const STATEMENTS = [
  `alter table users
    add column totp_secret bytea,
    add column totp_pending bytea,
    add column totp_step bigint not null default 0,
    add column provider_subject ${TEXT}`,
  `create unique index users_provider_subject on users (provider_subject) where provider_subject is not null`,
  `alter table sessions
    add column previous_hash bytea,
    add column rotated_at bigint,
    add column proven_at bigint not null default 0,
    add column browser ${TEXT} not null default ''`,
  `create table recovery_codes (
    user_id bigint not null references users (id) on delete cascade,
    code_hash bytea not null,
    primary key (user_id, code_hash)
  )`,
  `create table passkeys (
    id ${ID},
    user_id bigint not null references users (id) on delete cascade,
    credential_id ${TEXT} not null unique,
    public_key bytea not null,
    counter bigint not null,
    transports ${TEXT} not null,
    name ${TEXT} not null,
    created_at bigint not null,
    used_at bigint
  )`,
  'create index passkeys_user on passkeys (user_id)',
  `create table invitations (
    id ${ID},
    token_hash bytea not null unique,
    email ${TEXT} not null unique,
    user_id bigint references users (id) on delete cascade,
    role ${TEXT} not null,
    invited_by ${TEXT} not null,
    expires_at bigint not null
  )`,
  `create table login_steps (
    token_hash bytea primary key,
    kind ${TEXT} not null,
    user_id bigint references users (id) on delete cascade,
    data ${TEXT} not null,
    expires_at bigint not null
  )`,
  'create index login_steps_expiry on login_steps (expires_at)',
]
