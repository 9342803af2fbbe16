import { Command, CommanderError } from 'commander'
import { errorCodeOf } from '../lib/errors.ts'
import { backupCommand, restoreCommand } from './backup.ts'
import { doctorCommand } from './doctor.ts'
import { domainCommand, keyCommand } from './domain.ts'
import { eraseCommand } from './erase.ts'
import { feedsCommand } from './feeds.ts'
import { mcpCommand } from './mcp.ts'
import { migrateStoreCommand } from './migrate-store.ts'
import { rescoreCommand } from './rescore.ts'
import { serveCommand } from './serve.ts'
import { userCommand } from './user.ts'
import { webhookCommand } from './webhook.ts'

const EXIT_FAILED = 1
const EXIT_USAGE = 2

const program = new Command('inkling').description('Identify browsers and score the risk of a visit')

for (const command of [
  serveCommand(),
  domainCommand(),
  keyCommand(),
  webhookCommand(),
  userCommand(),
  eraseCommand(),
  rescoreCommand(),
  feedsCommand(),
  mcpCommand(),
  backupCommand(),
  restoreCommand(),
  migrateStoreCommand(),
  doctorCommand(),
])
  program.addCommand(command)

for (const command of [program, ...program.commands.flatMap((child) => [child, ...child.commands])])
  command.exitOverride().option('--json', 'print one JSON value and nothing else')

try {
  await program.parseAsync()
} catch (error) {
  process.exitCode = exitStatus(error)
}

/** Commander has printed usage errors; anything else is printed here, without a stack. */
function exitStatus(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_USAGE
  const message = error instanceof Error ? error.message : String(error)
  console.error(errorCodeOf(error) ? message : `failed: ${message}`)
  return EXIT_FAILED
}
