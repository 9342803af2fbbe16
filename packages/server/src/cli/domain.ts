import { Command } from 'commander'
import { domainName, registerDomain } from '../auth/register-domain.ts'
import { AppError } from '../lib/errors.ts'
import { type DomainRow, domainStore } from '../store/domains/domains.ts'
import { isJson, readBoolean, readInteger } from './options.ts'
import { print } from './print.ts'
import { inSession } from './session.ts'

const presentDomain = ({ name, enabled, remaining }: DomainRow) => ({
  domain: name,
  enabled: enabled === 1,
  remaining,
})

/** `inkling domain`: the registered domains. */
export function domainCommand(): Command {
  const command = new Command('domain').description('register domains and switch them on and off')

  command
    .command('add <domain>')
    .description('register a domain and print its keys, which are shown only now')
    .action(async (text: string, _options, self: Command) => {
      const name = domainName(text)
      if (name === undefined)
        throw new AppError(
          'INK_COMMAND',
          `${text} is not a domain name (lower case, without scheme, path or www.)`,
        )
      const keys = await inSession(({ store }) => registerDomain(store, name, Date.now()))
      if (!keys) throw new AppError('INK_COMMAND', `domain ${name} is registered already`)
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
    .description('switch a domain on or off, or set its remaining volume')
    .option('--enabled <true|false>', 'whether its keys work', readBoolean)
    .option('--remaining <count>', 'included identifications left', readInteger)
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

  return command
}
