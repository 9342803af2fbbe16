import { Argument, Command } from 'commander'
import { KEY_KINDS, type KeyKind, rotateKey } from '../auth/rotate-key.ts'
import { renewDemoKey } from '../demo/demo-keys.ts'
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
