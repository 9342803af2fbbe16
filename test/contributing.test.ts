import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { promisify, stripVTControlCharacters } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'

/** Follows the instructions of CONTRIBUTING.md in a copy of the repository. */

/** A type check and a test run are slow on a busy machine. */
const LIMIT_MS = 300_000
const ROOT = resolve(import.meta.dirname, '..')
const COPIED = ['packages', 'scripts', 'test', 'examples', 'docs', 'bench']
const LEFT_OUT = /(^|\/)(node_modules|dist|images)(\/|$)/

interface Step {
  kind: 'ts' | 'diff'
  path: string
  text: string
}

/** Code blocks that name a file: a whole file, or lines to insert between existing ones. */
async function stepsOfTheGuide(): Promise<Step[]> {
  const guide = await readFile(join(ROOT, 'CONTRIBUTING.md'), 'utf8')
  return [...guide.matchAll(/^```(ts|diff) (\S+)\n([\s\S]*?)^```$/gm)].map(([, kind, path, text]) => ({
    kind: kind as Step['kind'],
    path: path ?? '',
    text: text ?? '',
  }))
}

async function copyOfTheRepository(): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'inkling-contributing-'))
  onTestFinished(() => rm(copy, { recursive: true }))
  for (const entry of [...COPIED, ...(await readdir(ROOT)).filter((name) => /\.(json|ts)$/.test(name))])
    await cp(join(ROOT, entry), join(copy, entry), {
      recursive: true,
      filter: (source) => !LEFT_OUT.test(relative(ROOT, source)),
    })
  await mkdir(join(copy, 'node_modules/@inkling'), { recursive: true })
  for (const name of await readdir(join(ROOT, 'node_modules')))
    if (name !== '@inkling') await symlink(join(ROOT, 'node_modules', name), join(copy, 'node_modules', name))
  for (const name of await readdir(join(copy, 'packages')))
    await symlink(join(copy, 'packages', name), join(copy, 'node_modules/@inkling', name))
  return copy
}

async function follow({ kind, path, text }: Step, copy: string): Promise<void> {
  const file = join(copy, path)
  if (kind === 'ts') {
    await mkdir(dirname(file), { recursive: true })
    return writeFile(file, text)
  }
  const lines = text.trimEnd().split('\n')
  const isThere = lines.filter((line) => !line.startsWith('+')).map((line) => line.slice(1))
  const before = await readFile(file, 'utf8')
  expect(
    before.split(`${isThere.join('\n')}\n`),
    `${path} has these lines once: ${isThere.join(' / ')}`,
  ).toHaveLength(2)
  const after = lines.map((line) => line.slice(1)).join('\n')
  await writeFile(
    file,
    before.replace(`${isThere.join('\n')}\n`, () => `${after}\n`),
  )
}

test('a newcomer who follows the guide has a signal and an operation that compile and pass', {
  timeout: LIMIT_MS,
}, async () => {
  const steps = await stepsOfTheGuide()
  expect(steps.map(({ path }) => path)).toHaveLength(8)
  const copy = await copyOfTheRepository()
  for (const step of steps) await follow(step, copy)

  const run = async (program: string, ...args: string[]): Promise<string> => {
    const path = program === 'node' ? process.execPath : join(ROOT, 'node_modules/.bin', program)
    const options = { cwd: copy, maxBuffer: 64 * 1024 * 1024 }
    const { stdout } = await promisify(execFile)(path, args, options).catch((failed) => {
      throw new Error(`${program} ${args.join(' ')} failed:\n${failed.stdout}${failed.stderr}`)
    })
    return stdout
  }
  for (const script of ['generate-signals', 'generate-docs', 'generate-contract'])
    await run('node', `scripts/${script}.ts`)
  // What the steps changed and all that it imports: the whole repository is checked elsewhere.
  const changed = { extends: './tsconfig.json', include: steps.map(({ path }) => path) }
  await writeFile(join(copy, 'tsconfig.guide.json'), JSON.stringify(changed))
  await run('tsc', '-p', 'tsconfig.guide.json')
  await run('biome', 'check', '--vcs-enabled=false', ...steps.map(({ path }) => path))
  const tests = ['score/signals/no-languages', 'score/signals/index', 'count-users', 'account/route-table']
  const report = await run('vitest', 'run', '--project', 'embedded', ...tests)
  expect(stripVTControlCharacters(report)).toMatch(/Test Files\s+4 passed/)
  expect(await readFile(join(copy, 'docs/signals/no-languages.md'), 'utf8')).toContain('hides languages')
})
