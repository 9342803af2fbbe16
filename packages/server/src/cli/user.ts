import { text } from 'node:stream/consumers'
import { presentTime } from '@inkling/contract'
import { Command, Option } from 'commander'
import { passwordFault } from '../auth/password-rules.ts'
import { removeSecondFactors } from '../auth/second-factors.ts'
import { addUser, emailAddress, hashPassword, keepAnOwner } from '../auth/users.ts'
import { AppError } from '../lib/errors.ts'
import { invitationStore, loginStepStore } from '../store/users/login-steps.ts'
import { auditStore, COMMAND_LINE, sessionStore, type UserRow, userStore } from '../store/users/users.ts'
import { isJson, print } from './command-line.ts'
import { inSession } from './session.ts'

interface PasswordOptions {
  removeSecondFactor?: boolean
}

/** `inkling user`: the users of the dashboard. */
export function userCommand(): Command {
  const command = new Command('user').description(
    'add, list and remove users of the dashboard, and replace their passwords',
  )

  command
    .command('add <email>')
    .description('add a user; the password is read from standard input')
    .addOption(
      new Option('--role <role>', 'an owner may change everything, an analyst may only read')
        .choices(['owner', 'analyst'])
        .default('owner'),
    )
    .action(async (address: string, { role }: { role: UserRow['role'] }, self: Command) => {
      const email = readEmail(address)
      const password = await readPassword(email)
      const by = { actor: COMMAND_LINE, nowMs: Date.now() }
      const added = await inSession(({ store }) => addUser(store, { email, password, role }, by))
      if (!added) throw new AppError('INK_COMMAND', `${email} is already a user`)
      print({ email }, isJson(self))
    })

  command
    .command('password <email>')
    .description('replace a password, read from standard input, and sign the user out everywhere')
    .option('--remove-second-factor', 'also forget the authenticator app, passkeys and recovery codes')
    .action(async (address: string, { removeSecondFactor = false }: PasswordOptions, self: Command) => {
      const email = readEmail(address)
      const password_hash = await hashPassword(await readPassword(email))
      await inSession(({ store }) =>
        store.writes.transaction().execute(async (transaction) => {
          const user = await userStore(transaction).findByEmail(email)
          if (!user) throw new AppError('INK_COMMAND', `${email} is not a user`)
          await userStore(transaction).change(user.id, { password_hash })
          if (removeSecondFactor) await removeSecondFactors(transaction, user.id)
          await sessionStore(transaction).removeOfUser(user.id)
          // What began with the old password, or would replace the new one, must not go on.
          await loginStepStore(transaction).removeOfUser(user.id)
          await invitationStore(transaction).removeFor(email)
          const detail = {
            password: 'replaced',
            ...(removeSecondFactor && { second_factor: 'removed' }),
          }
          await auditStore(transaction).add(
            { actor: COMMAND_LINE, action: 'user.change', target: email, detail },
            Date.now(),
          )
        }),
      )
      print({ email }, isJson(self))
    })

  command
    .command('list')
    .description('list the users')
    .action(async (_options, self: Command) => {
      const users = await inSession(({ store }) => userStore(store.reads).list())
      print(
        users.map(({ email, role, created_at }) => ({ email, role, created_at: presentTime(created_at) })),
        isJson(self),
      )
    })

  command
    .command('remove <email>')
    .description('remove a user and sign them out everywhere; the last owner stays')
    .action(async (address: string, _options, self: Command) => {
      const email = readEmail(address)
      await inSession(({ store }) =>
        store.writes.transaction().execute(async (transaction) => {
          const user = await userStore(transaction).findByEmail(email)
          if (!user) throw new AppError('INK_COMMAND', `${email} is not a user`)
          await userStore(transaction).remove(user.id)
          await keepAnOwner(transaction)
          await auditStore(transaction).add(
            { actor: COMMAND_LINE, action: 'user.remove', target: email },
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

/** Reads standard input to its end, without the line break that `echo` and a terminal add. */
async function readPassword(email: string): Promise<string> {
  if (process.stdin.isTTY) process.stderr.write('Type the password, then press Enter and Ctrl-D: ')
  const password = (await text(process.stdin)).replace(/\r?\n$/, '')
  const fault = passwordFault(password, email)
  if (fault !== undefined) throw new AppError('INK_COMMAND', fault)
  return password
}
