import { LIST_KINDS, LIST_NAMES, type ListKind, type ListName } from '@inkling/contract'
import { ListEntryDraft } from '@inkling/contract/account'
import { Argument, Command, Option } from 'commander'
import { z } from 'zod'
import { newListEntry, readListFile, writeListFile } from '../account/list-file.ts'
import { presentListEntry } from '../account/lists.ts'
import { AppError } from '../lib/errors.ts'
import { type ListFilter, listStore, type NewListEntry } from '../store/lists/list-entries.ts'
import { auditStore, COMMAND_LINE } from '../store/users/users.ts'
import { INTEGER, isJson, parsedBy, print } from './command-line.ts'
import { readInput } from './read-input.ts'
import { inSession, type Session } from './session.ts'

const SHOWN_MAX = 200
const TIME = z.coerce.date('Must be a date or time, such as 2026-12-31T12:00Z.')

const listOption = () => new Option('--list <list>', 'only this list').choices(LIST_NAMES)
const kindOption = () => new Option('--kind <kind>', 'only entries of this kind').choices(LIST_KINDS)

interface AddOptions {
  reason: string
  expires?: Date
}

/** `inkling list`: the allow, deny and watch lists of a domain. */
export function listCommand(): Command {
  const command = new Command('list').description(
    'show and change the allow, deny and watch lists of a domain',
  )

  command
    .command('add <domain>')
    .addArgument(new Argument('<list>', 'which list').choices(LIST_NAMES))
    .addArgument(new Argument('<kind>', 'what the value is').choices(LIST_KINDS))
    .argument('<value>', 'the value')
    .option('--reason <text>', 'why', '')
    .option('--expires <time>', 'until when it counts, such as 2026-12-31', parsedBy(TIME))
    .description('add an entry, or replace the one of the same list, kind and value')
    .action(
      async (
        name: string,
        list: ListName,
        kind: ListKind,
        value: string,
        { reason, expires }: AddOptions,
        self: Command,
      ) => {
        const { data, error } = ListEntryDraft.safeParse({
          list,
          kind,
          value,
          reason,
          expires_at: expires?.toISOString() ?? null,
        })
        if (!data) throw new AppError('INK_COMMAND', error.issues.map(({ message }) => message).join('; '))
        const entry = newListEntry(data)
        if ('problem' in entry) throw new AppError('INK_COMMAND', entry.problem)
        const [saved] = await inSession(async (session) => {
          await save(session, name, [entry], 'lists.save')
          return listStore(session.store.reads).page((await session.domain(name)).id, {}, { limit: 1 })
        })
        if (saved) print(presentListEntry(saved), isJson(self))
      },
    )

  command
    .command('remove <domain>')
    .addArgument(new Argument('<id>', 'number of the entry').argParser(parsedBy(INTEGER)))
    .description('remove an entry')
    .action(async (name: string, id: number, _options, self: Command) => {
      const removed = await inSession(async ({ store, domain }) => {
        const row = await domain(name)
        return store.writes.transaction().execute(async (transaction) => {
          const entry = await listStore(transaction).remove(row.id, id)
          if (!entry)
            throw new AppError(
              'INK_COMMAND',
              `the domain ${name} has no entry ${id}; inkling list show ${name} lists them`,
            )
          const change = { actor: COMMAND_LINE, action: 'lists.remove', target: name, detail: { entry: id } }
          await auditStore(transaction).add(change, Date.now())
          return entry
        })
      })
      print(presentListEntry(removed), isJson(self))
    })

  command
    .command('show <domain>')
    .addOption(listOption())
    .addOption(kindOption())
    .option('--value <text>', 'only values with this text in them')
    .description(`show the newest ${SHOWN_MAX} entries`)
    .action(async (name: string, { value, ...filter }: ListFilter & { value?: string }, self: Command) => {
      const rows = await inSession(async ({ store, domain }) =>
        listStore(store.reads).page(
          (await domain(name)).id,
          { ...filter, text: value },
          { limit: SHOWN_MAX },
        ),
      )
      print(rows.map(presentListEntry), isJson(self))
    })

  command
    .command('import <domain> <file>')
    .description('add the entries of a CSV file, all or none; - reads it from standard input')
    .action(async (name: string, file: string, _options, self: Command) => {
      const entries = await readListFile(await readInput(file))
      const { replaced } = await inSession((session) => save(session, name, entries, 'lists.import'))
      print({ rows: entries.length, replaced: replaced.length }, isJson(self))
    })

  command
    .command('export <domain>')
    .addOption(listOption())
    .addOption(kindOption())
    .description('write the entries as CSV to standard output')
    .action(async (name: string, filter: ListFilter) =>
      inSession(async ({ store, domain }) => {
        const { id } = await domain(name)
        const change = { actor: COMMAND_LINE, action: 'lists.export', target: name }
        await auditStore(store.writes).add(change, Date.now())
        const lines = writeListFile(store.reads, (read) => read(), id, filter)
        for await (const some of lines) process.stdout.write(some)
      }),
    )

  return command
}

async function save(
  { store, domain }: Session,
  name: string,
  entries: readonly NewListEntry[],
  action: string,
) {
  const { id } = await domain(name)
  const nowMs = Date.now()
  return store.writes.transaction().execute(async (transaction) => {
    const saved = await listStore(transaction).save(id, entries, { author: COMMAND_LINE, nowMs })
    const detail = { rows: entries.length }
    await auditStore(transaction).add({ actor: COMMAND_LINE, action, target: name, detail }, nowMs)
    return saved
  })
}
