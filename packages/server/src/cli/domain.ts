import { KEY_KIND_NAMES } from '@inkling/contract/account'
import { Argument, Command } from 'commander'
import { domainName, type KeyKind, registerDomain, rotateKey } from '../auth/register-domain.ts'
import { forgetDemo, renewDemoKey } from '../demo/demo-keys.ts'
import { AppError } from '../lib/errors.ts'
import { type DomainRow, domainStore } from '../store/domains/domains.ts'
import { countDomainRows, removeDomain } from '../store/domains/remove-domain.ts'
import { COMMAND_LINE } from '../store/users/users.ts'
import { BOOLEAN, INTEGER, isJson, parsedBy, print, withProgress } from './command-line.ts'
import { inSession } from './session.ts'

const presentDomain = ({ name, enabled, remaining }: DomainRow) => ({
  domain: name,
  enabled: enabled === 1,
  remaining,
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
      const keys = await inSession(({ store }) => registerDomain(store, name, Date.now()))
      if (!keys) throw new AppError('INK_COMMAND', `the domain ${name} is already registered`)
      print(keys, isJson(self))
    })

  command
    .command('list')
    .description('list the registered domains')
    .action(async (_options, self: Command) => {
      const rows = await inSession(({ store }) => domainStore(store.reads).list())
      print(rows.map(presentDomain), isJson(self))
    })

  command
    .command('set <domain>')
    .description('enable or disable a domain, or set its remaining volume')
    .option('--enabled <true|false>', 'whether its keys are accepted', parsedBy(BOOLEAN))
    .option('--remaining <count>', 'identifications left in its volume', parsedBy(INTEGER))
    .action(async (name: string, options: { enabled?: boolean; remaining?: number }, self: Command) => {
      const changed = await inSession(async ({ store, domain }) => {
        const { id } = await domain(name)
        return store.writes.transaction().execute((transaction) =>
          domainStore(transaction).change(id, {
            ...(options.enabled !== undefined && { enabled: options.enabled ? 1 : 0 }),
            ...(options.remaining !== undefined && { remaining: options.remaining }),
          }),
        )
      })
      if (changed) print(presentDomain(changed), isJson(self))
    })

  command
    .command('remove <domain>')
    .description(
      'remove a domain with everything that was stored for it; without --yes only say what that is',
    )
    .option('--yes', 'remove it; this cannot be undone')
    .action(async (name: string, { yes = false }: { yes?: boolean }, self: Command) => {
      const json = isJson(self)
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

  return command
}

/** `inkling key`: the keys of a domain. */
export function keyCommand(): Command {
  const command = new Command('key').description('replace the keys of a domain')
  command
    .command('rotate <domain>')
    .addArgument(new Argument('<kind>', 'which of its keys').choices(KEY_KIND_NAMES))
    .description('replace a key and print the new one, which is not shown again')
    .action(async (name: string, kind: KeyKind, _options, self: Command) => {
      const key = await inSession(async ({ config, store, domain }) => {
        const { id } = await domain(name)
        const rotated = await rotateKey(store, id, kind)
        if (kind !== 'secret') await renewDemoKey(config.DATA_DIR, name, { [`${kind}_key`]: rotated })
        return rotated
      })
      print({ [`${kind}_key`]: key }, isJson(self))
    })
  return command
}
