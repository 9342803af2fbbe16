import { globSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { READINGS } from '@inkling/contract'
import { expect, test } from 'vitest'
import { settingDocs } from '../packages/server/src/composition/config.ts'
import { runCli } from '../packages/server/test/run-cli.ts'

/** Settings, headings and commands in the guide must exist. The build of the site checks links between pages. */

const DOCS = join(import.meta.dirname, '../docs')
const PAGES = ['', 'deployment/'].flatMap((folder) =>
  readdirSync(join(DOCS, folder)).flatMap((name) => (name.endsWith('.md') ? [`${folder}${name}`] : [])),
)
const textOf = (page: string): string => readFileSync(join(DOCS, page), 'utf8')

/** Variables of a client, of the compose file and of OpenTelemetry, which are not settings of the server. */
const OTHER_SETTINGS = [
  'INKLING_API_KEY',
  'INKLING_HOST',
  'POSTGRES_PASSWORD',
  'OTEL_TRACES_SAMPLER',
  'OTEL_TRACES_SAMPLER_ARG',
]

/** `npx inkling COMMAND [SUBCOMMAND]`, in text and in code blocks. */
const COMMAND = /npx inkling ([a-z-]+)(?: ([a-z]+(?:-[a-z]+)*)(?![a-z.-]))?/g
const COMMANDS = PAGES.flatMap((page) =>
  [...textOf(page).matchAll(COMMAND)].map(([text, name = '', child]) => ({ page, text, name, child })),
)

test.each(PAGES)('%s sets only existing settings', (page) => {
  const named = [...textOf(page).matchAll(/(?:^|`)([A-Z][A-Z_]{3,})=/gm)].map(([, name = '']) => name)
  const known = [...settingDocs().map(({ name }) => name), ...OTHER_SETTINGS]
  expect(named.filter((name) => !known.includes(name))).toEqual([])
})

test.each(PAGES)('%s has one setting on a line of settings', (page) => {
  // systemd and Docker take the second one for a part of the first.
  expect(textOf(page).match(/^[A-Z][A-Z_]{3,}=\S+ [A-Z][A-Z_]{3,}=\S+$/gm)).toBeNull()
})

test.each(PAGES)('%s links only to existing headings', (page) => {
  const wrong = [...textOf(page).matchAll(/\]\(([\w./-]+\.md)?#([\w-]+)\)/g)].filter(
    ([, target, anchor = '']) => !anchorsOf(target ? join(dirname(page), target) : page).includes(anchor),
  )
  expect(wrong.map(([link]) => link)).toEqual([])
})

/** The anchor that the site makes of a heading. */
const anchorsOf = (page: string): string[] =>
  [...textOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, ''),
  )

test('the page on privacy names every reading', () => {
  const text = textOf('privacy.md')
  expect(Object.keys(READINGS).filter((name) => !text.includes(`\`${name}\``))).toEqual([])
})

test('every command in the guide exists', async () => {
  const names = [...new Set(COMMANDS.map(({ name }) => name))]
  expect(names).toContain('webhook')
  const helps = await Promise.all(
    names.map(async (name) => [name, (await runCli([name, '--help'], {})).stdout] as const),
  )
  const helpOf = new Map(helps)
  const wrong = COMMANDS.filter(({ name, child }) => {
    const help = helpOf.get(name) ?? ''
    return (
      !help.startsWith(`Usage: inkling ${name}`) || !(child === undefined || help.includes(`  ${child} `))
    )
  })
  expect(wrong).toEqual([])
})

/** Every document of the repository, with those that are packed. */
const ROOT = join(DOCS, '..')
const DOCUMENTS = globSync(['*.md', 'docs/**/*.md', '{packages,examples,bench}/{,*/}README.md'], {
  cwd: ROOT,
})

test('no document installs from a path that npm takes for a repository at GitHub', () => {
  expect(DOCUMENTS).toContain('packages/server/README.md')
  const wrong = DOCUMENTS.flatMap((document) =>
    [...readFileSync(join(ROOT, document), 'utf8').matchAll(/npm (?:install|i) ([^`\n]+)/g)].flatMap(
      // owner/repository; "./" makes it a path: https://docs.npmjs.com/cli/commands/npm-install
      ([, said = '']) => said.split(' ').filter((word) => /^\w[\w.-]*\/[^/@]+$/.test(word)),
    ),
  )
  expect(wrong).toEqual([])
})
