import { SEARCH_TYPES, type SearchType } from '@inkling/contract'
import { Argument, Command } from 'commander'
import { identifierLookup } from '../store/identifications/lookup.ts'
import { erase } from '../store/identifications/remove-identifications.ts'
import { auditStore, COMMAND_LINE } from '../store/users/users.ts'
import { isJson, print } from './command-line.ts'
import { inSession } from './session.ts'

/** `inkling erase`: removes all data of one identifier. */
export function eraseCommand(): Command {
  return new Command('erase')
    .argument('<domain>', 'registered domain')
    .addArgument(new Argument('<type>', 'type of the identifier').choices(SEARCH_TYPES))
    .argument('<value>', 'value of the identifier')
    .description('remove all data of one identifier')
    .action(async (name: string, type: SearchType, value: string, _options, self: Command) => {
      const lookup = identifierLookup(type, value)
      const rows = await inSession(async ({ store, domain }) => {
        const { id } = await domain(name)
        const removed = await erase(store, id, { type, value }, lookup)
        const detail = { type, rows: removed }
        const entry = { actor: COMMAND_LINE, action: 'privacy.erase', target: name, detail }
        await auditStore(store.writes).add(entry, Date.now())
        return removed
      })
      print({ rows }, isJson(self))
    })
}
