import { LABEL_SUBJECTS, LabelDraft, type LabelSubject } from '@inkling/contract'
import { Argument, Command } from 'commander'
import { readLabelFile, writeLabelFile } from '../account/label-file.ts'
import { AppError } from '../lib/errors.ts'
import { labelStore, type NewLabel } from '../store/labels/labels.ts'
import { newLabel, presentLabel } from '../store/labels/new-label.ts'
import { auditStore, COMMAND_LINE } from '../store/users/users.ts'
import { isJson, print } from './command-line.ts'
import { readInput } from './read-input.ts'
import { inSession, type Session } from './session.ts'

interface AddOptions {
  source: string
  note: string
}

/** `inkling labels`: what was found out about visitors. */
export function labelsCommand(): Command {
  const command = new Command('labels').description('label visitors, and move labels as CSV')

  command
    .command('add <domain> <kind>')
    .addArgument(new Argument('<type>', 'kind of identifier').choices(LABEL_SUBJECTS))
    .argument('<value>', 'the identifier')
    .option('--source <name>', 'who says so', 'command line')
    .option('--note <text>', 'for people', '')
    .description('label a visitor: fraud, legitimate, chargeback, or a kind of your own')
    .action(
      async (
        name: string,
        kind: string,
        type: LabelSubject,
        value: string,
        options: AddOptions,
        self: Command,
      ) => {
        const { data, error } = LabelDraft.safeParse({ kind, subject: { type, value }, ...options })
        if (!data) throw new AppError('INK_COMMAND', error.issues.map(({ message }) => message).join('; '))
        const label = newLabel(data, Date.now())
        if ('problem' in label) throw new AppError('INK_COMMAND', `value: ${label.problem}`)
        const { labels } = await inSession((session) => save(session, name, [label], 'labels.save'))
        for (const saved of labels) print(presentLabel(saved), isJson(self))
      },
    )

  command
    .command('import <domain> <file>')
    .description('save the labels of a CSV file, all or none; - reads it from standard input')
    .action(async (name: string, file: string, _options, self: Command) => {
      const labels = await readLabelFile(await readInput(file), Date.now())
      const { replaced } = await inSession((session) => save(session, name, labels, 'labels.import'))
      print({ rows: labels.length, replaced }, isJson(self))
    })

  command
    .command('export <domain>')
    .description('write the labels as CSV to standard output')
    .action(async (name: string) =>
      inSession(async ({ store, domain }) => {
        const { id } = await domain(name)
        const change = { actor: COMMAND_LINE, action: 'labels.export', target: name }
        await auditStore(store.writes).add(change, Date.now())
        const lines = writeLabelFile(store.reads, (read) => read(), id, {})
        for await (const some of lines) process.stdout.write(some)
      }),
    )

  return command
}

async function save({ store, domain }: Session, name: string, labels: readonly NewLabel[], action: string) {
  const { id } = await domain(name)
  const nowMs = Date.now()
  return store.writes.transaction().execute(async (transaction) => {
    const saved = await labelStore(transaction).save(id, labels, { author: COMMAND_LINE, nowMs })
    const detail = { rows: labels.length }
    await auditStore(transaction).add({ actor: COMMAND_LINE, action, target: name, detail }, nowMs)
    return saved
  })
}
