import { Command, CommanderError } from 'commander'
import { errorCodeOf } from '../lib/errors.ts'

const EXIT_FAILED = 1
const EXIT_USAGE = 2

/** The commands, loaded when they are needed: most of them run for less time than all of them take to load. */
const COMMANDS: Record<string, () => Promise<Command>> = {
  serve: async () => (await import('./serve.ts')).serveCommand(),
  domain: async () => (await import('./domain.ts')).domainCommand(),
  key: async () => (await import('./key.ts')).keyCommand(),
  webhook: async () => (await import('./webhook.ts')).webhookCommand(),
  user: async () => (await import('./user.ts')).userCommand(),
  erase: async () => (await import('./erase.ts')).eraseCommand(),
  rescore: async () => (await import('./rescore.ts')).rescoreCommand(),
  rules: async () => (await import('./decision-rules.ts')).decisionRulesCommand(),
  agents: async () => (await import('./agents.ts')).agentsCommand(),
  list: async () => (await import('./lists.ts')).listCommand(),
  labels: async () => (await import('./labels.ts')).labelsCommand(),
  feeds: async () => (await import('./feeds.ts')).feedsCommand(),
  mcp: async () => (await import('./mcp.ts')).mcpCommand(),
  backup: async () => (await import('./backup.ts')).backupCommand(),
  restore: async () => (await import('./backup.ts')).restoreCommand(),
  'migrate-store': async () => (await import('./migrate-store.ts')).migrateStoreCommand(),
  distribute: async () => (await import('./distribute.ts')).distributeCommand(),
  doctor: async () => (await import('./doctor.ts')).doctorCommand(),
}

// Whatever a command writes, such as the database, nobody else on the machine may read.
process.umask(0o077)

const program = new Command('inkling').description('Identify browsers and score the risk of a visit')

const [first] = process.argv.slice(2).filter((argument) => !argument.startsWith('-'))
const chosen = first !== undefined && Object.hasOwn(COMMANDS, first) ? COMMANDS[first] : undefined
// The help and the message about an unknown command list all of them.
for (const load of chosen ? [chosen] : Object.values(COMMANDS)) program.addCommand(await load())

const json = process.argv.includes('--json')
if (!chosen) {
  const { packageVersion } = await import('../composition/running-state.ts')
  const version = packageVersion()
  program.version(json ? JSON.stringify({ version }) : version)
}

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
