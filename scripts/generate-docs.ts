import { readFile, writeFile } from 'node:fs/promises'
import { settingDocs } from '../packages/server/src/config.ts'

/** Writes the parts of the documentation that the code knows better. `--check` only compares. */
const FILE = new URL('../docs/configuration.md', import.meta.url)

export function configurationPage(): string {
  const rows = settingDocs().map(
    (setting) =>
      `| \`${setting.name}\` | ${setting.default === '' ? 'none' : `\`${setting.default}\``} | ${setting.meaning} |`,
  )
  return `# Configuration

Settings are environment variables. An empty one counts as unset; a wrong one stops the start, and every
wrong one is named.

<!-- Generated from packages/server/src/config.ts by \`npm run docs\`. -->

| name | default | meaning |
|---|---|---|
${rows.join('\n')}
`
}

if (import.meta.main) {
  const page = configurationPage()
  if (!process.argv.includes('--check')) await writeFile(FILE, page)
  else if ((await readFile(FILE, 'utf8').catch(() => '')) !== page) {
    console.log('docs/configuration.md differs from the settings: run `npm run docs`')
    process.exitCode = 1
  }
}
