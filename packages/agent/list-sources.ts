import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { READINGS, type ReadingName } from '@inkling/contract'

const FOLDER = join(import.meta.dirname, 'src/sources')
const LIST = join(FOLDER, 'index.ts')
/** The folder for sources that start a worker or a frame, or time the disk: they must not hold up the snapshot. */
const LATE = 'late'

/** A function that a file exports under the name of a reading, in camel case. */
interface Source {
  module: string
  path: string
  name: string
}

/**
 * The text of `src/sources/index.ts`: the source of every reading in the contract, in the contract's order.
 * @throws {Error} for a reading without a source or with two, and for a file without any
 */
export async function listSources(): Promise<string> {
  const early = await sourcesIn('')
  const late = await sourcesIn(LATE)
  for (const reading of Object.keys(READINGS) as ReadingName[]) {
    const count = [early, late].filter((found) => found.has(reading)).length
    if (count !== 1) throw new Error(`${reading}: ${count} sources export a function of that name`)
  }
  const imports = [...new Set([...early.values(), ...late.values()].map(importOf))].sort(byPath)
  return `// Written by \`npm run docs\` from the files of this folder and the contract's table of readings.
import type { Sources } from '../collect/source.ts'
${imports.join('\n')}

/** Read for the snapshot, in this order. */
export const SOURCES = {
${linesOf(early)}
} satisfies Partial<Sources>

/** Read after the snapshot was sent, and reported over the follow-up channel. */
export const LATE_SOURCES = {
${linesOf(late)}
} satisfies Partial<Sources>
`
}

async function sourcesIn(folder: string): Promise<Map<ReadingName, Source>> {
  const found = new Map<ReadingName, Source>()
  const files = (await readdir(join(FOLDER, folder))).filter((file) => /^[a-z-]+\.ts$/.test(file))
  for (const file of files.filter((name) => name !== 'index.ts').sort()) {
    const path = `./${join(folder, file)}`
    const module = file.slice(0, -'.ts'.length).replace(/-./g, ([, letter = '']) => letter.toUpperCase())
    const names = Object.keys(await import(join(FOLDER, folder, file)))
    const own = names.filter((name) => readingOf(name) in READINGS)
    if (own.length === 0) throw new Error(`${path} exports no function named after a reading`)
    for (const name of own) {
      const reading = readingOf(name)
      if (found.has(reading)) throw new Error(`${reading}: two sources export a function of that name`)
      found.set(reading, { module, path, name })
    }
  }
  return found
}

const readingOf = (name: string): ReadingName =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) as ReadingName

const importOf = ({ module, path }: Source): string => `import * as ${module}Sources from '${path}'`

/** Like the formatter, which has `input.ts` before `input-traces.ts`. */
const byPath = (one: string, other: string): number => {
  const [a = '', b = ''] = [one, other].map((line) => line.split(' from ')[1]?.replace('.ts', '') ?? '')
  return a < b ? -1 : 1
}

const linesOf = (sources: ReadonlyMap<ReadingName, Source>): string =>
  (Object.keys(READINGS) as ReadingName[])
    .flatMap((reading) => {
      const source = sources.get(reading)
      return source ? [`  ${reading}: ${source.module}Sources.${source.name},`] : []
    })
    .join('\n')

if (import.meta.main) {
  const text = await listSources()
  if (!process.argv.includes('--check')) await writeFile(LIST, text)
  else if ((await readFile(LIST, 'utf8')) !== text)
    throw new Error('packages/agent/src/sources/index.ts differs from its folder: run `npm run docs`')
}
