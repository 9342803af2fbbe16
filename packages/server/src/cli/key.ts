import { API_KEY_SCOPE_NAMES, type ApiKeyScope, presentTime } from '@inkling/contract'
import { ApiKeyName, ApiKeyScopes, KEY_KIND_NAMES, OVERLAP_HOURS_MAX } from '@inkling/contract/account'
import { Command } from 'commander'
import { z } from 'zod'
import { addApiKey, keyEntry, type MadeKey, readScopes, rotateApiKey } from '../auth/api-keys.ts'
import { type KeyKind, newKey } from '../auth/register-domain.ts'
import { renewDemoKey } from '../demo/demo-keys.ts'
import { DAY_MS } from '../lib/durations.ts'
import { AppError } from '../lib/errors.ts'
import { type ApiKeyRow, apiKeyStore } from '../store/domains/api-keys.ts'
import { domainStore } from '../store/domains/domains.ts'
import { auditStore, COMMAND_LINE } from '../store/users/users.ts'
import { INTEGER, isJson, parsedBy, print } from './command-line.ts'
import { inSession, type Session } from './session.ts'

/** Unless somebody says otherwise: time for a deployment. */
const OVERLAP_HOURS = 24
const SCOPES = z
  .string()
  .transform((text) => text.split(',').map((scope) => scope.trim()))
  .refine((scopes) => ApiKeyScopes.safeParse(scopes).success, `Must be of ${API_KEY_SCOPE_NAMES.join(', ')}.`)
  .transform((scopes) => ApiKeyScopes.parse(scopes))
const DAYS = INTEGER.pipe(z.int().min(1, 'Must be at least 1.').max(36_500, 'Must be at most 36500.'))
const HOURS = INTEGER.pipe(
  z.int().min(0, 'Must not be negative.').max(OVERLAP_HOURS_MAX, `Must be at most ${OVERLAP_HOURS_MAX}.`),
)

/** A misspelled kind of key is a wrong use of the command, not a named key that does not exist. */
const KEY = z
  .string()
  .refine(
    (text) => KEY_KIND_NAMES.some((kind) => kind === text) || /^[0-9a-f]{12}$/.test(text),
    `Must be ${KEY_KIND_NAMES.join(', ')} or the ID of a named key.`,
  )

/** `inkling key`: the keys of a domain. */
export function keyCommand(): Command {
  const command = new Command('key').description('make, list, replace and revoke keys of a domain')

  command
    .command('list <domain>')
    .description('list the named API keys, which are not shown themselves')
    .action(async (name: string, _options, self: Command) => {
      const rows = await inSession(async ({ store, domain }) =>
        apiKeyStore(store.reads).list((await domain(name)).id),
      )
      print(rows.map(presentKey), isJson(self))
    })

  command
    .command('add <domain> <name>')
    .description('make a named API key and print it; it is not shown again')
    .requiredOption(
      '--scopes <list>',
      `what it may do, separated by commas: ${API_KEY_SCOPE_NAMES.join(', ')}`,
      parsedBy(SCOPES),
    )
    .option('--expires-days <days>', 'after how many days it ends; never without it', parsedBy(DAYS))
    .action(
      async (
        domainName: string,
        name: string,
        { scopes, expiresDays }: { scopes: ApiKeyScope[]; expiresDays?: number },
        self: Command,
      ) => {
        const called = ApiKeyName.safeParse(name)
        if (!called.success) throw new AppError('INK_COMMAND', 'a name has 1 to 80 characters')
        const by = { actor: COMMAND_LINE, nowMs: Date.now() }
        const expiresAtMs = daysFrom(by.nowMs, expiresDays) ?? null
        const made = await inSession(async ({ store, domain }) => {
          const { id } = await domain(domainName)
          return store.writes.transaction().execute(async (transaction) => {
            const key = { name: called.data, scopes, expiresAtMs }
            const added = await addApiKey(transaction, id, key, by)
            await auditStore(transaction).add(keyEntry('add', domainName, COMMAND_LINE)(added), by.nowMs)
            return added
          })
        })
        print(presentMade(made), isJson(self))
      },
    )

  command
    .command('rotate')
    .description('replace a key and print the new one, which is not shown again')
    .argument('<domain>')
    .argument('<key>', `${KEY_KIND_NAMES.join(', ')} or the ID of a named key`, parsedBy(KEY))
    .option(
      '--overlap-hours <hours>',
      `how long the old one of a named key stays valid (default: ${OVERLAP_HOURS}; 0 after a theft)`,
      parsedBy(HOURS),
    )
    .option('--expires-days <days>', 'after how many days the new one of a named key ends', parsedBy(DAYS))
    .action(async (name: string, key: string, options: RotateOptions, self: Command) => {
      const kind = KEY_KIND_NAMES.find((known) => known === key)
      const isNamedOnly = options.overlapHours !== undefined || options.expiresDays !== undefined
      if (kind && isNamedOnly)
        throw new AppError('INK_COMMAND', `the ${kind} key ends at once; only named keys overlap and expire`)
      const answer = await inSession(async (session) =>
        kind
          ? { [`${kind}_key`]: await rotateMainKey(session, name, kind) }
          : presentMade(await rotateNamedKey(session, name, key, options)),
      )
      print(answer, isJson(self))
    })

  command
    .command('revoke <domain> <id>')
    .description('revoke a named API key; it stops working within a second')
    .action(async (name: string, id: string, _options, self: Command) => {
      await inSession(async ({ store, domain }) => {
        const { id: domainId } = await domain(name)
        await store.writes.transaction().execute(async (transaction) => {
          const row = await apiKeyStore(transaction).remove(domainId, id)
          if (!row) throw noKey(name, id)
          await auditStore(transaction).add(keyEntry('revoke', name, COMMAND_LINE)({ row }), Date.now())
        })
      })
      print({ id, revoked: true }, isJson(self))
    })

  return command
}

interface RotateOptions {
  overlapHours?: number
  expiresDays?: number
}

async function rotateMainKey(
  { config, store, secrets, domain }: Session,
  name: string,
  kind: KeyKind,
): Promise<string> {
  const { id } = await domain(name)
  const { key, change } = newKey(kind, secrets)
  await store.writes.transaction().execute(async (transaction) => {
    await domainStore(transaction).change(id, change)
    const entry = { actor: COMMAND_LINE, action: 'key.rotate', target: name, detail: { kind } }
    await auditStore(transaction).add(entry, Date.now())
  })
  // The old key ended with the transaction: whatever happens to the demo, its replacement has to be shown.
  await renewDemoKey(config.DATA_DIR, name, kind, key).catch((error: Error) =>
    console.error(`the demo has its old key still: ${error.message}`),
  )
  return key
}

async function rotateNamedKey(
  { store, domain }: Session,
  name: string,
  id: string,
  { overlapHours = OVERLAP_HOURS, expiresDays }: RotateOptions,
): Promise<MadeKey> {
  const { id: domainId } = await domain(name)
  const nowMs = Date.now()
  const rotation = { overlapHours, expiresAtMs: daysFrom(nowMs, expiresDays), nowMs }
  return store.writes.transaction().execute(async (transaction) => {
    const made = await rotateApiKey(transaction, domainId, id, rotation)
    if (!made) throw noKey(name, id)
    await auditStore(transaction).add(keyEntry('rotate', name, COMMAND_LINE)(made), nowMs)
    return made
  })
}

const noKey = (domain: string, id: string): AppError =>
  new AppError(
    'INK_COMMAND',
    `the domain ${domain} has no named key ${id}; inkling key list ${domain} lists them`,
  )

const daysFrom = (nowMs: number, days: number | undefined): number | undefined =>
  days === undefined ? undefined : nowMs + days * DAY_MS

const presentMade = ({ row, key }: MadeKey) => ({
  id: row.id,
  name: row.name,
  scopes: readScopes(row).join(','),
  api_key: key,
  expires_at: row.expires_at === null ? 'never' : presentTime(row.expires_at),
  ...(row.rotated_at !== null && {
    old_key_until: row.previous_until === null ? 'now' : presentTime(row.previous_until),
  }),
})

const presentKey = (row: ApiKeyRow) => ({
  id: row.id,
  name: row.name,
  scopes: readScopes(row).join(','),
  key: `…${row.key_tail}`,
  created_by: row.created_by,
  created_at: presentTime(row.created_at),
  expires_at: row.expires_at === null ? 'never' : presentTime(row.expires_at),
  used_at: row.used_at === null ? 'never' : presentTime(row.used_at),
})
