import { readFile, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Signal } from '../packages/server/src/score/define-signal.ts'
import { SIGNALS } from '../packages/server/src/score/signals/index.ts'

/**
 * Generates the catalogue of signals in the contract from the server's signal files, so that the dashboard
 * and the SDK know names, titles, weights and flags without importing the server. `--check` only compares.
 */
const CATALOGUE = resolve(import.meta.dirname, '../packages/contract/src/generated/signal-catalogue.ts')

export function signalCatalogue(signals: readonly Signal[] = SIGNALS): string {
  const entries = signals.map(({ name, weight, flag, title }) => {
    const fields = { weight, ...(flag && { flag }), title }
    const lines = Object.entries(fields).map(([field, value]) => `    ${field}: ${JSON.stringify(value)},\n`)
    return `  ${name}: {\n${lines.join('')}  },\n`
  })
  return `// Generated from packages/server/src/score/signals by \`npm run docs\`.

/** Every signal of this release with its default weight; 0 informs. */
export const SIGNAL_CATALOGUE = {
${entries.join('')}} as const
`
}

export const isCatalogueStale = async (): Promise<boolean> =>
  (await readFile(CATALOGUE, 'utf8').catch(() => '')) !== signalCatalogue()

if (import.meta.main) {
  if (!process.argv.includes('--check')) await writeFile(CATALOGUE, signalCatalogue())
  else if (await isCatalogueStale()) {
    console.log(
      'the catalogue in packages/contract/src/generated differs from the signals: run `npm run docs`',
    )
    process.exitCode = 1
  }
}
