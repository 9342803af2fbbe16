import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { settingDocs } from '../packages/server/src/composition/config.ts'
import { ERRORS } from '../packages/server/src/lib/errors.ts'
import { commandLinePage } from './command-line-page.ts'
import { signalPages } from './signal-pages.ts'

/**
 * Writes the pages of the guide that are generated from code. With `--check` it writes nothing and fails
 * if one differs.
 */
const DOCS = join(import.meta.dirname, '../docs')
/** All files in this folder are generated. */
const SIGNALS_FOLDER = 'signals'

/** Content of each generated file by its path inside `docs`. */
export async function generateDocs(): Promise<Map<string, string>> {
  const pages = [...signalPages()].map(([file, text]): [string, string] => [join(SIGNALS_FOLDER, file), text])
  return new Map([
    ['configuration.md', configurationPage()],
    ['errors.md', errorsPage()],
    ['command-line.md', await commandLinePage()],
    ...pages,
  ])
}

/** Paths that are missing, different or unexpected. */
export async function staleDocs(docs: string = DOCS): Promise<string[]> {
  const files = await generateDocs()
  const stale: string[] = []
  for (const [path, text] of files)
    if ((await readFile(join(docs, path), 'utf8').catch(() => '')) !== text) stale.push(path)
  return [...stale, ...(await leftovers(docs, files))].sort()
}

export async function writeDocs(docs: string = DOCS): Promise<void> {
  const files = await generateDocs()
  for (const path of await leftovers(docs, files)) await rm(join(docs, path), { recursive: true })
  for (const [path, text] of files) {
    await mkdir(dirname(join(docs, path)), { recursive: true })
    await writeFile(join(docs, path), text)
  }
}

async function leftovers(docs: string, files: ReadonlyMap<string, string>): Promise<string[]> {
  const names = await readdir(join(docs, SIGNALS_FOLDER)).catch(() => [])
  return names.map((name) => join(SIGNALS_FOLDER, name)).filter((path) => !files.has(path))
}

function configurationPage(): string {
  const rows = settingDocs().map(
    (setting) =>
      `| \`${setting.name}\` | ${setting.default === '' ? 'none' : `\`${setting.default}\``} | ${setting.meaning} |`,
  )
  return `# Configuration

Settings are environment variables. The server treats an empty one as unset. If any value is invalid, it does not start
and lists all that are.

<!-- Generated from packages/server/src/composition/settings.ts by \`npm run docs\`. -->

| name | default | meaning |
|---|---|---|
${rows.join('\n')}
`
}

function errorsPage(): string {
  const rows = (ofCaller: boolean) =>
    Object.entries(ERRORS)
      .filter(([, entry]) => 'status' in entry === ofCaller)
      .map(([code, entry]) => {
        const status = 'status' in entry ? ` ${entry.status} |` : ''
        return `| \`${code}\` |${status} ${entry.meaning} | ${entry.remedy} |`
      })
      .join('\n')
  return `# Errors

Every error has a code. The log has it in \`code\`, and the command line writes it behind its message. Answers of the APIs
carry a status and a text, which stay as older clients know them.

<!-- Generated from packages/server/src/lib/errors.ts by \`npm run docs\`. -->

## Of the APIs

The log has these at the level \`debug\`. \`INK_INTERNAL\` is logged at \`error\` as well, and those with status 503 at
\`warn\`: at most one line in ten seconds for each code, with the number of times.

| code | status | meaning | what to do |
|---|---|---|---|
${rows(true)}

## Of the command line

These end the command with status 1. \`inkling serve\` does not start when a setting or the feeds file is wrong.

| code | meaning | what to do |
|---|---|---|
${rows(false)}
`
}

if (import.meta.main) {
  if (!process.argv.includes('--check')) await writeDocs()
  else {
    const stale = await staleDocs()
    for (const path of stale) console.log(`docs/${path} differs from the code: run \`npm run docs\``)
    if (stale.length > 0) process.exitCode = 1
  }
}
