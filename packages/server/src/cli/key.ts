import { Argument, Command } from 'commander'
import { KEY_KINDS, type KeyKind, rotateKey } from '../auth/rotate-key.ts'
import { isJson } from './options.ts'
import { print } from './print.ts'
import { inSession } from './session.ts'

/** `inkling key`: the keys of a domain. */
export function keyCommand(): Command {
  const command = new Command('key').description('replace the keys of a domain')
  command
    .command('rotate <domain>')
    .addArgument(new Argument('<kind>', 'which key').choices(KEY_KINDS))
    .description('replace a key and print the new one, which is shown only now')
    .action(async (name: string, kind: KeyKind, _options, self: Command) => {
      const key = await inSession(async ({ store, domain }) =>
        rotateKey(store, (await domain(name)).id, kind),
      )
      print({ [`${kind}_key`]: key }, isJson(self))
    })
  return command
}
