import { text } from 'node:stream/consumers'
import { Command, Option } from 'commander'
import { addUser, emailAddress, passwordFault } from '../auth/add-user.ts'
import { hashPassword } from '../auth/password.ts'
import { AppError } from '../lib/errors.ts'
import { auditStore, COMMAND_LINE } from '../store/users/audit.ts'
import { sessionStore, type UserRow, userStore } from '../store/users/users.ts'
import { isJson } from './options.ts'
import { print } from './print.ts'
import { inSession } from './session.ts'

/** `inkling user`: who may sign in to the dashboard. */
export function userCommand(): Command {
  const command = new Command('user').description('add people who may sign in to the dashboard')

  command
    .command('add <email>')
    .description('add a user, whose password is read from standard input')
    .addOption(
      new Option('--role <role>', 'an owner changes things, an analyst reads')
        .choices(['owner', 'analyst'])
        .default('owner'),
    )
    .action(async (address: string, { role }: { role: UserRow['role'] }, self: Command) => {
      const email = readEmail(address)
      const password = await readPassword()
      const by = { actor: COMMAND_LINE, nowMs: Date.now() }
      const added = await inSession(({ store }) => addUser(store, { email, password, role }, by))
      if (!added) throw new AppError('INK_COMMAND', `${email} is a user already`)
      print({ email }, isJson(self))
    })

  command
    .command('password <email>')
    .description('replace a password, read from standard input, and end the sessions of the user')
    .action(async (address: string, _options, self: Command) => {
      const email = readEmail(address)
      const password_hash = await hashPassword(await readPassword())
      await inSession(({ store }) =>
        store.writes.transaction().execute(async (transaction) => {
          const user = await userStore(transaction).findByEmail(email)
          if (!user) throw new AppError('INK_COMMAND', `${email} is not a user`)
          await userStore(transaction).change(user.id, { password_hash })
          await sessionStore(transaction).removeOfUser(user.id)
          await auditStore(transaction).add(
            { actor: COMMAND_LINE, action: 'user.change', target: email, detail: { password: 'replaced' } },
            Date.now(),
          )
        }),
      )
      print({ email }, isJson(self))
    })

  return command
}

function readEmail(address: string): string {
  const email = emailAddress(address)
  if (email === undefined) throw new AppError('INK_COMMAND', `${address} is not an e-mail address`)
  return email
}

/** The whole of standard input but the line end that `echo` and a terminal leave. */
async function readPassword(): Promise<string> {
  if (process.stdin.isTTY) process.stderr.write('password, then Enter and Ctrl-D: ')
  const password = (await text(process.stdin)).replace(/\r?\n$/, '')
  const fault = passwordFault(password)
  if (fault !== undefined) throw new AppError('INK_COMMAND', fault)
  return password
}
