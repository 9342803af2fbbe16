import type { Command } from 'commander'
import { COMMANDS } from '../packages/server/src/cli/commands.ts'

/** The page of the guide about the command line, from what the commands say of themselves. */
export async function commandLinePage(): Promise<string> {
  const commands = await Promise.all(Object.values(COMMANDS).map((load) => load()))
  return `# Command line

Run \`npx inkling COMMAND\` as the user of the server and with its settings, most of all \`DATA_DIR\` or \`DATABASE_URL\`.
\`--help\` after a command shows the same as this page. \`--json\` prints one JSON value and nothing else. The exit status is
0, 1 if the command failed (\`doctor\`: if a check failed), or 2 for a wrong use.

<!-- Generated from packages/server/src/cli by \`npm run docs\`. -->

${commands.map(section).join('\n')}`
}

function section(command: Command): string {
  const leaves = command.commands.length > 0 ? command.commands : [command]
  const rows = leaves.map((leaf) => {
    const name = leaf === command ? leaf.name() : `${command.name()} ${leaf.name()}`
    return `| \`${[name, ...leaf.registeredArguments.map(argumentText)].join(' ')}\` | ${cell(leaf.description())} | ${partsOf(leaf)} |`
  })
  const about = command.commands.length > 0 ? `${cell(sentence(command.description()))}\n\n` : ''
  return `## ${command.name()}\n\n${about}| command | does | arguments and options |\n|---|---|---|\n${rows.join('\n')}\n`
}

function argumentText(argument: Command['registeredArguments'][number]): string {
  const text = `${argument.name()}${argument.variadic ? '...' : ''}`
  return argument.required ? `<${text}>` : `[${text}]`
}

/** Empty text or an empty list, which tells a reader nothing. */
const EMPTY_DEFAULT = / \(default: (?:""|\[\])\)$/

/** The arguments that say what they are, and the options, with choices and defaults as the help shows them. */
function partsOf(leaf: Command): string {
  const help = leaf.createHelp()
  const parts = [
    ...leaf.registeredArguments.map((argument) => [
      argumentText(argument),
      help.argumentDescription(argument),
    ]),
    ...leaf.options.map((option) => [option.flags, help.optionDescription(option)]),
  ]
  return parts
    .filter(([, text]) => text !== '')
    .map(([name = '', text = '']) => `\`${cell(name)}\` ${cell(text.replace(EMPTY_DEFAULT, ''))}`)
    .join('<br>')
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')
