import { SingleBar } from 'cli-progress'
import { type Command, InvalidArgumentError } from 'commander'
import { z } from 'zod'

/** Parses an argument or option with a schema; what does not fit is a usage error. */
export const parsedBy =
  <Schema extends z.ZodType>(schema: Schema) =>
  (text: string): z.output<Schema> => {
    const { success, data, error } = schema.safeParse(text)
    if (!success) throw new InvalidArgumentError(error.issues[0]?.message ?? '')
    return data
  }

export const BOOLEAN = z.stringbool({
  truthy: ['true'],
  falsy: ['false'],
  case: 'sensitive',
  error: 'Must be true or false.',
})

export const INTEGER = z
  .string()
  .regex(/^-?\d+$/, 'Must be a whole number.')
  .transform(Number)
  .pipe(z.int('Must be a whole number.'))

export const POSTGRES_URL = z.url({
  protocol: /^postgres(ql)?$/,
  error: 'Must be a URL like postgres://….',
})

/** Whether `--json` was given, before or after the command. */
export const isJson = (command: Command): boolean => command.optsWithGlobals().json === true

/** Prints one line of JSON, or tables for people. */
export function print(value: object, json: boolean): void {
  if (json) console.log(JSON.stringify(value))
  else if (Array.isArray(value)) printTable(value)
  else {
    console.log(lines(value))
    for (const [name, part] of Object.entries(value))
      if (isTable(part)) {
        console.log(`\n${name}`)
        printTable(part)
      }
  }
}

function printTable(table: object): void {
  if (Array.isArray(table) && table.length === 0) console.log('none')
  else console.table(table)
}

const isTable = (value: unknown): value is object => typeof value === 'object' && value !== null

/** The values that are no tables, one on each line. */
function lines(value: object): string {
  const entries = Object.entries(value).filter(([, one]) => !isTable(one))
  const width = Math.max(...entries.map(([name]) => name.length))
  return entries.map(([name, text]) => `${name.padEnd(width)}  ${text}`).join('\n')
}

/** Shows a progress bar on a terminal. The output of scripts and of `--json` stays clean. */
export async function withProgress<Result>(
  { label, json }: { label: string; json: boolean },
  run: (report: (done: number, total: number) => void) => Promise<Result>,
): Promise<Result> {
  if (json || !process.stdout.isTTY) return run(() => {})
  const format = `${label} {bar} {percentage}%`
  const bar = new SingleBar({ format, stream: process.stdout, clearOnComplete: true })
  bar.start(1, 0)
  try {
    return await run((done, total) => {
      bar.setTotal(total)
      bar.update(done)
    })
  } finally {
    bar.stop()
  }
}

/** Said where `scrub` could not finish. */
export const LEFT_IN_LOG =
  'removed; a reader, such as a backup, still needs old pages of the database, or a server removes them just now; a running server goes on until they are gone'
