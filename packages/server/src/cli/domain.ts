import { presentTime } from '@inkling/contract'
import { FALSE_MERGE_COST } from '@inkling/contract/account'
import { Command } from 'commander'
import { z } from 'zod'
import { type DomainSettings, domainChange, missingKey } from '../auth/domain-change.ts'
import { domainName, newDomain } from '../auth/register-domain.ts'
import { newVerdictKey } from '../auth/verdict-keys.ts'
import { serverWebhookSettings } from '../composition/webhook-settings.ts'
import { forgetDemo } from '../demo/demo-keys.ts'
import { HOUR_MS } from '../lib/durations.ts'
import { AppError } from '../lib/errors.ts'
import { type DomainRow, domainStore } from '../store/domains/domains.ts'
import { originOf, readOrigins } from '../store/domains/origins.ts'
import { COMMAND_LINE } from '../store/users/users.ts'
import { BOOLEAN, INTEGER, isJson, LEFT_IN_LOG, parsedBy, print, withProgress } from './command-line.ts'
import { inSession, recorded, type Session } from './session.ts'

/** What was never set is left out: scripts of earlier releases read the rest. */
const presentDomain = (row: DomainRow) => ({
  domain: row.name,
  enabled: row.enabled === 1,
  remaining: row.remaining,
  ...(row.origins !== null && { origins: [...(readOrigins(row) ?? [])].join(',') }),
  ...(row.signed_users_only === 1 && { signed_users_only: true }),
  ...(row.sealed_verdicts === 1 && { sealed_verdicts: true }),
  ...(row.false_merge_cost !== null && { false_merge_cost: row.false_merge_cost }),
  ...(row.disk_budget !== null && { disk_budget_mb: row.disk_budget / BYTES_PER_MB }),
})

interface SetOptions {
  enabled?: boolean
  remaining?: number
  origins?: string
  diskBudgetMb?: number
  signedUsersOnly?: boolean
  sealedVerdicts?: boolean
  falseMergeCost?: number | 'release'
}

/** @throws AppError `INK_COMMAND` for an origin of another domain */
const settingsOf = (
  name: string,
  { origins, diskBudgetMb, falseMergeCost, ...options }: SetOptions,
): DomainSettings => ({
  enabled: options.enabled,
  remaining: options.remaining,
  signed_users_only: options.signedUsersOnly,
  sealed_verdicts: options.sealedVerdicts,
  ...(origins !== undefined && { origins: origins === 'any' ? null : readList(origins, name) }),
  ...(diskBudgetMb !== undefined && {
    disk_budget_bytes: diskBudgetMb === 0 ? null : diskBudgetMb * BYTES_PER_MB,
  }),
  ...(falseMergeCost !== undefined && {
    false_merge_cost: falseMergeCost === 'release' ? null : falseMergeCost,
  }),
})

/** @throws AppError `INK_COMMAND` for settings that need a key that the domain does not have */
async function changeSettings(
  { store, domain }: Session,
  name: string,
  options: SetOptions,
): Promise<DomainRow | undefined> {
  const row = await domain(name)
  const settings = settingsOf(name, options)
  const missing = missingKey(row, settings)
  if (missing)
    throw new AppError(
      'INK_COMMAND',
      `${name} has no ${missing} key; make one with inkling ${HOW_TO_MAKE[missing](name)}`,
    )
  const { change, detail } = domainChange(settings)
  // Without an option the command only prints the domain.
  if (Object.keys(change).length === 0) return row
  return recorded(store, { action: 'domain.change', target: name, detail }, (transaction) =>
    domainStore(transaction).change(row.id, change),
  )
}

const HOW_TO_MAKE = {
  user: (name: string) => `key rotate ${name} user`,
  verdict: (name: string) => `domain verdict-key ${name}`,
}

const COST_BOUNDS = `Must be a number from ${FALSE_MERGE_COST.min} to ${FALSE_MERGE_COST.max}, or release.`
const COST = z.union(
  [
    z.literal('release'),
    z.coerce.number().min(FALSE_MERGE_COST.min, COST_BOUNDS).max(FALSE_MERGE_COST.max, COST_BOUNDS),
  ],
  COST_BOUNDS,
)

const BYTES_PER_MB = 1_000_000

const readList = (text: string, domain: string): string[] =>
  text.split(',').map((entry) => {
    const origin = originOf(entry.trim(), domain)
    if (origin !== undefined) return origin
    throw new AppError(
      'INK_COMMAND',
      `${entry} is no origin of ${domain} or of its subdomains; write it like https://${domain}`,
    )
  })

/** `inkling domain`: the registered domains. */
export function domainCommand(): Command {
  const command = new Command('domain').description('register, enable, disable and remove domains')

  command
    .command('add <domain>')
    .description('register a domain and print its keys, which are not shown again')
    .action(async (text: string, _options, self: Command) => {
      const name = domainName(text)
      if (name === undefined)
        throw new AppError(
          'INK_COMMAND',
          `${text} is not a domain name; write it in lower case, without scheme, path and www.`,
        )
      const { row, keys } = newDomain(name, Date.now())
      const added = await inSession(
        ({ store }) =>
          recorded(store, { action: 'domain.add', target: name }, (transaction) =>
            domainStore(transaction).add(row),
          ),
        { mayBeFirst: true },
      )
      if (!added) throw new AppError('INK_COMMAND', `the domain ${name} is already registered`)
      print(keys, isJson(self))
    })

  command
    .command('list')
    .description('list the registered domains')
    .action(async (_options, self: Command) => {
      const rows = await inSession(({ store }) => domainStore(store.reads).list())
      print(rows.map(presentDomain), isJson(self))
    })
  addSetCommand(command)
  addVerdictKeyCommand(command)
  addRemoveCommand(command)
  return command
}

function addSetCommand(command: Command): void {
  command
    .command('set <domain>')
    .description(
      'enable or disable a domain, or set its volume, its origins, its disk budget or how carefully it links devices',
    )
    .option('--enabled <true|false>', 'whether its keys are accepted', parsedBy(BOOLEAN))
    .option('--remaining <count>', 'identifications left in its volume', parsedBy(INTEGER))
    .option(
      '--origins <list>',
      'origins whose pages may use the Public Key, separated by commas; any: the domain and all of its subdomains',
    )
    .option(
      '--disk-budget-mb <megabytes>',
      'what its identifications may take on disk; 0: no limit',
      parsedBy(INTEGER.pipe(z.int().min(0, 'Must not be negative.'))),
    )
    .option(
      '--signed-users-only <true|false>',
      'whether accounts without the signature of your backend are dropped; needs a user key',
      parsedBy(BOOLEAN),
    )
    .option(
      '--sealed-verdicts <true|false>',
      'whether pages get a verdict that only your backend can read; needs a verdict key',
      parsedBy(BOOLEAN),
    )
    .option(
      '--false-merge-cost <splits>',
      `how many false splits one false merge is worth, ${FALSE_MERGE_COST.min} to ${FALSE_MERGE_COST.max}; "release" returns to the default, ${FALSE_MERGE_COST.ofRelease}`,
      parsedBy(COST),
    )
    .action(async (name: string, options: SetOptions, self: Command) => {
      const changed = await inSession((session) => changeSettings(session, name, options))
      if (changed) print(presentDomain(changed), isJson(self))
    })
}

function addVerdictKeyCommand(command: Command): void {
  command
    .command('verdict-key <domain>')
    .description('make or replace the key that seals verdicts, and print it; it is not shown again')
    .option('--at-once', 'seal by it at once, as after a theft, instead of a while later')
    .action(async (name: string, { atOnce = false }: { atOnce?: boolean }, self: Command) => {
      const made = await inSession(async ({ config, store, secrets, domain }) => {
        const row = await domain(name)
        const nowMs = Date.now()
        const { secretOverlapHours } = await serverWebhookSettings(store, config)
        const fromMs = atOnce ? nowMs : nowMs + secretOverlapHours * HOUR_MS
        const { keyId, key, ...rest } = newVerdictKey(row, secrets, { nowMs, fromMs })
        const entry = { action: 'key.rotate', target: name, detail: { kind: 'verdict', key_id: keyId } }
        await recorded(store, entry, (transaction) => domainStore(transaction).change(row.id, rest.change))
        return { key_id: keyId, key, seals_from: presentTime(rest.fromMs) }
      })
      print(made, isJson(self))
    })
}

function addRemoveCommand(command: Command): void {
  command
    .command('remove <domain>')
    .description(
      'remove a domain with everything that was stored for it; without --yes only say what that is',
    )
    .option('--yes', 'remove it; this cannot be undone')
    .action(async (name: string, { yes = false }: { yes?: boolean }, self: Command) => {
      const json = isJson(self)
      // Only this command needs them, and they load much of the store.
      const { countDomainRows, removeDomain } = await import('../store/domains/remove-domain.ts')
      const { scrub } = await import('../store/erasure/scrub.ts')
      const rows = await inSession(async ({ config, store, domain }) => {
        const row = await domain(name)
        const counts = await countDomainRows(store.reads, row.id)
        if (!yes) return counts
        await forgetDemo(config.DATA_DIR, name)
        const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
        let done = 0
        await withProgress({ label: `removing ${name}`, json }, (report) =>
          removeDomain(store, row, {
            nowMs: Date.now(),
            actor: COMMAND_LINE,
            progress(removed) {
              done = Math.min(done + removed, total)
              report(done, total)
            },
          }),
        )
        if (!(await scrub(store, row.id))) console.error(LEFT_IN_LOG)
        return counts
      })
      print(
        {
          domain: name,
          removed: yes,
          identifications: rows.identifications,
          devices: rows.devices,
          endpoints: rows.endpoints,
          waiting_events: rows.outbox,
          deliveries: rows.deliveries,
          findings: rows.pattern_findings,
          saved_weights: rows.domain_rules,
        },
        json,
      )
      if (!yes) console.error(`nothing was removed; to remove ${name} with all of this, add --yes`)
    })
}
