import { SEARCH_TYPES, type SearchType } from '@inkling/contract'
import { Argument, Command, InvalidArgumentError } from 'commander'
import type { Identifier } from '../store/erasure/matching-rows.ts'
import { previewErasure } from '../store/erasure/preview-erasure.ts'
import { eraseRecorded } from '../store/erasure/recorded-erasure.ts'
import { scrub } from '../store/erasure/scrub.ts'
import { identifierLookup } from '../store/identifications/lookup.ts'
import { COMMAND_LINE } from '../store/users/users.ts'
import { isJson, LEFT_IN_LOG, print } from './command-line.ts'
import { inSession } from './session.ts'

interface Options {
  dryRun?: boolean
  include: Identifier[]
}

/** `inkling erase`: removes all data of one identifier, and of others of the same person. */
export function eraseCommand(): Command {
  return new Command('erase')
    .argument('<domain>', 'registered domain')
    .addArgument(new Argument('<type>', 'type of the identifier').choices(SEARCH_TYPES))
    .argument('<value>', 'value of the identifier')
    .option('--dry-run', 'say what would go and which other identifiers are in the same rows; remove nothing')
    .option('--include <type=value>', 'another identifier of the person; may be given again', included, [])
    .description('remove all data of one identifier')
    .action(async (name: string, type: SearchType, value: string, options: Options, self: Command) => {
      const identifiers: [Identifier, ...Identifier[]] = [{ type, value }, ...options.include]
      for (const identifier of identifiers) identifierLookup(identifier.type, identifier.value)
      const json = isJson(self)
      if (options.dryRun) {
        const preview = await inSession(async ({ store, domain }) =>
          previewErasure(store.jobReads, (await domain(name)).id, identifiers),
        )
        return print(preview, json)
      }
      const { rows, isScrubbed } = await eraseAll(name, identifiers)
      if (!isScrubbed) console.error(LEFT_IN_LOG)
      print({ rows }, json)
    })
}

const eraseAll = (name: string, identifiers: readonly [Identifier, ...Identifier[]]) =>
  inSession(async ({ store, domain }) => {
    const erased = await domain(name)
    const by = { actor: COMMAND_LINE, now: Date.now }
    const rows = await eraseRecorded(store, erased, identifiers, by)
    return { rows, isScrubbed: await scrub(store, erased.id) }
  })

function included(text: string, before: readonly Identifier[]): Identifier[] {
  const [name = '', ...rest] = text.split('=')
  const type = SEARCH_TYPES.find((known) => known === name)
  const value = rest.join('=')
  if (!type || value === '') throw new InvalidArgumentError('Must be a type, an equals sign and a value.')
  return [...before, { type, value }]
}
