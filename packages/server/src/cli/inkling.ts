import { Command, CommanderError } from 'commander'
import { errorCodeOf } from '../lib/errors.ts'
import { COMMANDS } from './commands.ts'

const EXIT_FAILED = 1
const EXIT_USAGE = 2

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
  const code = errorCodeOf(error)
  console.error(code ? `${message} (${code})` : `failed: ${message}`)
  return EXIT_FAILED
}
