import { text } from 'node:stream/consumers'
import { presentTime } from '@inkling/contract'
import { DOMAIN_ROLE_NAMES, DOMAIN_ROLES, type DomainRole, ROLES } from '@inkling/contract/account'
import { Argument, Command, Option } from 'commander'
import { giveRole, takeRole } from '../auth/domain-roles.ts'
import { passwordFault } from '../auth/password-rules.ts'
import { removeSecondFactors } from '../auth/second-factors.ts'
import { addUser, emailAddress, hashPassword, keepAnOwner } from '../auth/users.ts'
import { AppError } from '../lib/errors.ts'
import { memberStore } from '../store/users/domain-members.ts'
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
    'add, list and remove users of the dashboard, replace their passwords, and give and take roles in a domain',
  )

  command
    .command('add <email>')
    .description('add a user; the password is read from standard input')
    .addOption(
      new Option(
        '--role <role>',
        'in the whole installation: an owner may do everything, an analyst reads every domain and works on its cases, a member has only the roles that "user grant" gives',
      )
        .choices(ROLES)
        .default('owner'),
    )
    .action(async (address: string, { role }: { role: UserRow['role'] }, self: Command) => {
      const email = readEmail(address)
      const password = await readPassword(email)
      const by = { actor: COMMAND_LINE, nowMs: Date.now() }
      const added = await inSession(({ store }) => addUser(store, { email, password, role }, by), {
        mayBeFirst: true,
      })
      if (!added) throw new AppError('INK_COMMAND', `${email} is already a user`)
      print({ email }, isJson(self))
    })
  addPasswordCommand(command)
  addListCommand(command)
  addRoleCommands(command)
  addRemoveCommand(command)
  return command
}

function addPasswordCommand(command: Command): void {
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
}

function addListCommand(command: Command): void {
  command
    .command('list')
    .description('list the users')
    .action(async (_options, self: Command) => {
      const { users, roles } = await inSession(async ({ store: { reads } }) => ({
        users: await userStore(reads).list(),
        roles: Map.groupBy(await memberStore(reads).roles(), ({ user_id }) => user_id),
      }))
      print(
        users.map(({ id, email, role, created_at }) => ({
          email,
          role,
          domains: (roles.get(id) ?? []).map((one) => `${one.domain} ${one.role}`),
          created_at: presentTime(created_at),
        })),
        isJson(self),
      )
    })
}

function addRoleCommands(command: Command): void {
  command
    .command('grant')
    .description('give a user a role in one domain, in place of the one before')
    .argument('<email>')
    .argument('<domain>')
    .addArgument(new Argument('<role>', rolesInWords()).choices(DOMAIN_ROLE_NAMES))
    .action(async (address: string, name: string, role: DomainRole, _options, self: Command) => {
      const email = readEmail(address)
      await inSession(async ({ store, domain }) => {
        const row = await domain(name)
        const given = await store.writes
          .transaction()
          .execute((transaction) => giveRole(transaction, row, { email, role }, byCommandLine()))
        if (!given) throw new AppError('INK_COMMAND', `${email} is not a user`)
      })
      print({ email, domain: name, role }, isJson(self))
    })

  command
    .command('revoke <email> <domain>')
    .description('take the role of a user in one domain, at once')
    .action(async (address: string, name: string, _options, self: Command) => {
      const email = readEmail(address)
      await inSession(async ({ store, domain }) => {
        const row = await domain(name)
        const user = await userStore(store.reads).findByEmail(email)
        if (!user) throw new AppError('INK_COMMAND', `${email} is not a user`)
        const taken = await store.writes
          .transaction()
          .execute((transaction) => takeRole(transaction, row, user.id, byCommandLine()))
        if (!taken) throw new AppError('INK_COMMAND', `${email} has no role in ${name}`)
      })
      print({ email, domain: name }, isJson(self))
    })
}

function addRemoveCommand(command: Command): void {
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
}

const byCommandLine = () => ({ actor: COMMAND_LINE, nowMs: Date.now() })

const rolesInWords = (): string =>
  DOMAIN_ROLE_NAMES.map((role) => `${role}: ${DOMAIN_ROLES[role].meaning}`).join(' ')

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
