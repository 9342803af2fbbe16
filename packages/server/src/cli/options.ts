import { type Command, InvalidArgumentError } from 'commander'

export function readBoolean(text: string): boolean {
  if (text !== 'true' && text !== 'false') throw new InvalidArgumentError('true or false')
  return text === 'true'
}

export function readInteger(text: string): number {
  const value = Number(text)
  if (!/^-?\d+$/.test(text) || !Number.isSafeInteger(value)) throw new InvalidArgumentError('a whole number')
  return value
}

/** `--json` may stand before or after the command. */
export const isJson = (command: Command): boolean => command.optsWithGlobals().json === true
