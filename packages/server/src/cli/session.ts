import type { Kysely } from 'kysely'
import { openServerSecrets } from '../auth/server-secrets.ts'
import { type Config, readConfig, storePlace } from '../composition/config.ts'
import { AppError } from '../lib/errors.ts'
import { createSecretBox, type SecretBox } from '../lib/secret-box.ts'
import { expectDataDir } from '../store/data-dir.ts'
import { type DomainRow, domainStore, type EndpointRow, endpointStore } from '../store/domains/domains.ts'
import { openStore } from '../store/open-store.ts'
import type { Schema } from '../store/schema.ts'
import type { Store } from '../store/store.ts'
import { type AuditEntry, auditStore, COMMAND_LINE } from '../store/users/users.ts'

export interface Session {
  config: Config
  store: Store
  secrets: SecretBox
  /** @throws AppError `INK_COMMAND` when it is not registered */
  domain(name: string): Promise<DomainRow>
  /** @throws AppError `INK_COMMAND` when the domain has no such endpoint */
  endpoint(domainName: string, id: number): Promise<EndpointRow>
}

interface SessionOptions {
  /** Whether the command may be the first one, which makes the data directory. */
  mayBeFirst?: boolean
}

/**
 * Opens the database of the server, and closes it when the command is done.
 * @throws AppError `INK_COMMAND` where there is no data directory, unless the command may be the first one
 */
export async function inSession<Result>(
  run: (session: Session) => Promise<Result>,
  { mayBeFirst = false }: SessionOptions = {},
): Promise<Result> {
  const config = readConfig(process.env)
  if (!mayBeFirst && config.DATABASE_URL === undefined) expectDataDir(config.DATA_DIR)
  const store = await openStore(storePlace(config))

  async function domain(name: string): Promise<DomainRow> {
    const row = await domainStore(store.reads).find(name)
    if (!row)
      throw new AppError(
        'INK_COMMAND',
        `the domain ${name} is not registered; inkling domain list shows the registered ones`,
      )
    return row
  }
  async function endpoint(name: string, id: number): Promise<EndpointRow> {
    const row = await endpointStore(store.reads).find((await domain(name)).id, id)
    if (!row)
      throw new AppError(
        'INK_COMMAND',
        `the domain ${name} has no webhook endpoint ${id}; inkling webhook list ${name} lists them`,
      )
    return row
  }
  try {
    const secrets = createSecretBox((await openServerSecrets(store.secrets)).secret_box_key)
    return await run({ config, store, secrets, domain, endpoint })
  } finally {
    await store.close()
  }
}

/**
 * Makes a change and its entry in the audit log, both or neither. If `make` returns undefined, nothing changed and
 * nothing is recorded.
 */
export const recorded = <Made>(
  { writes }: Pick<Store, 'writes'>,
  entry: Omit<AuditEntry, 'actor'>,
  make: (transaction: Kysely<Schema>) => Promise<Made>,
): Promise<Made> =>
  writes.transaction().execute(async (transaction) => {
    const made = await make(transaction)
    if (made !== undefined) await auditStore(transaction).add({ actor: COMMAND_LINE, ...entry }, Date.now())
    return made
  })
