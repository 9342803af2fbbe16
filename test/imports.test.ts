import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'

/** Keeps the directions of imports that docs/architecture.md describes. Type imports count like any other. */

const ROOT = resolve(import.meta.dirname, '..')
const SERVER = join(ROOT, 'packages/server/src')
const PACKAGES = ['contract', 'agent', 'server', 'dashboard', 'sdk']

const sources = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(
      (name) =>
        /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name) && !/(^|\/)(node_modules|dist)\//.test(name),
    )
    .map((name) => join(folder, name))

interface Import {
  from: string
  /** A path, or the name of a package. */
  to: string
  /** Whether the module is loaded: type stripping drops an import that begins with `import type`. */
  loads: boolean
}

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s[^'"]*?from\s*['"]([^'"]+)['"]|(?:^|\n)\s*import\s*['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)|new URL\(\s*['"](\.[^'"]+\.ts)['"]/g

function importsOf(file: string): Import[] {
  return [...readFileSync(file, 'utf8').matchAll(IMPORT)].flatMap((match) => {
    const target = match[1] ?? match[2] ?? match[3] ?? match[4]
    if (target === undefined) return []
    const loads = !/^\s*(?:import|export)\s+type\s/.test(match[0])
    return [{ from: file, to: target.startsWith('.') ? resolve(dirname(file), target) : target, loads }]
  })
}

const show = ({ from, to }: Import): string => `${relative(ROOT, from)} -> ${relative(ROOT, to)}`
const packageFiles = PACKAGES.flatMap((name) => sources(join(ROOT, 'packages', name, 'src')))
const allImports = packageFiles.flatMap(importsOf)
const serverImports = allImports.filter(({ from }) => from.startsWith(SERVER))

/** The folder of the server's sources that a file is in; undefined outside of them. */
const folderOf = (path: string): string | undefined => {
  const inside = relative(SERVER, path)
  return inside.startsWith('..') || !path.startsWith('/') ? undefined : inside.split('/', 1)[0]
}

const STAGES = ['observe', 'ingest', 'enrich', 'identify', 'score', 'deliver']

/** What each folder may import beside itself. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  lib: [],
  // The types of a visit are made of what `enrich` finds; the pipeline alone has a wider rule, below.
  visit: ['enrich', 'lib'],
  observe: ['visit', 'lib'],
  ingest: ['visit', 'auth', 'compat', 'lib'],
  enrich: ['visit', 'lib'],
  identify: ['visit', 'lib'],
  score: ['visit', 'lib'],
  store: ['visit', 'lib'],
  deliver: ['visit', 'auth', 'store', 'lib'],
  auth: ['store', 'lib'],
  history: ['visit', 'auth', 'store', 'compat', 'lib'],
  // Like the pipeline, it leads a request through the stages, but stores nothing.
  assess: ['visit', 'auth', 'ingest', 'observe', 'enrich', 'score', 'history', 'store', 'lib'],
  decide: ['visit', 'enrich', 'auth', 'history', 'store', 'lib'],
  labels: ['auth', 'store', 'lib'],
  management: ['auth', 'store', 'compat', 'lib'],
  // The routes of older clients call the present ones.
  compat: ['auth', 'store', 'deliver', 'history', 'management', 'lib'],
  // The change feed writes rows as History answers them.
  jobs: ['visit', 'ingest', 'enrich', 'score', 'decide', 'deliver', 'history', 'store', 'lib'],
  account: [
    'visit',
    'auth',
    'store',
    'history',
    'decide',
    'deliver',
    'enrich',
    // People compare devices as the linker does.
    'identify',
    'score',
    'jobs',
    'telemetry',
    'lib',
  ],
  // Another way to the operations of the account API.
  assistants: ['account', 'auth', 'store', 'lib'],
  telemetry: ['ingest', 'observe', 'deliver', 'auth', 'store', 'lib'],
  demo: ['lib'],
  mcp: [],
}
/** These connect the others. */
const MAY_IMPORT_ANYTHING = ['composition', 'http', 'cli']
/** The order of the stages, scoring again with late evidence, and storing what was scored. */
const PIPELINE = ['pipeline', 'refinements', 'versions'].map((name) => join(SERVER, `visit/${name}.ts`))

describe('the folders of the server', () => {
  test('the search finds known imports', () => {
    expect(serverImports.map(show)).toContain(
      'packages/server/src/visit/pipeline.ts -> packages/server/src/score/score.ts',
    )
  })

  test('each folder has a rule, and each rule has a folder', () => {
    const folders = new Set(readdirSync(SERVER))
    expect([...folders].sort()).toEqual([...Object.keys(MAY_IMPORT), ...MAY_IMPORT_ANYTHING].sort())
  })

  test('import only the folders in their rule', () => {
    const wrong = serverImports.filter(({ from, to }) => {
      const folder = folderOf(from) ?? ''
      const target = folderOf(to)
      if (target === undefined || target === folder || PIPELINE.includes(from)) return false
      if (MAY_IMPORT_ANYTHING.includes(folder)) return false
      return !MAY_IMPORT[folder]?.includes(target)
    })
    expect(wrong.map(show)).toEqual([])
  })

  test('stages of a visit meet only in the pipeline', () => {
    const wrong = serverImports.filter(({ from, to }) => {
      const [folder = '', target = ''] = [folderOf(from), folderOf(to)]
      return STAGES.includes(folder) && STAGES.includes(target) && folder !== target
    })
    expect(wrong.map(show)).toEqual([])
    const reached = new Set(
      serverImports.filter(({ from }) => PIPELINE.includes(from)).map(({ to }) => folderOf(to)),
    )
    expect([...reached]).toEqual(expect.arrayContaining(STAGES))
    // Only the file that opens the pipeline may import it.
    const callers = serverImports
      .filter(({ from, to }) => PIPELINE.includes(to) && !PIPELINE.includes(from))
      .map(({ from }) => folderOf(from))
    expect(new Set(callers)).toEqual(new Set(['composition']))
  })

  test('only the command line imports composition and http, and nothing imports the command line', () => {
    const wrong = serverImports.filter(({ from, to }) => {
      const [folder, target] = [folderOf(from), folderOf(to)]
      if (target === folder) return false
      return (
        target === 'cli' ||
        (MAY_IMPORT_ANYTHING.includes(target ?? '') && !MAY_IMPORT_ANYTHING.includes(folder ?? ''))
      )
    })
    expect(wrong.map(show)).toEqual([])
  })

  test('import the SDK only in the demo and the MCP server', () => {
    const users = serverImports
      .filter(({ to }) => to.startsWith('@inkling/sdk'))
      .map(({ from }) => folderOf(from))
    expect(new Set(users)).toEqual(new Set(['demo', 'mcp']))
  })

  test('the store knows nothing of HTTP', () => {
    const wrong = serverImports.filter(
      ({ from, to }) => folderOf(from) === 'store' && /^(fastify|node:http2?|@fastify\/)/.test(to),
    )
    expect(wrong.map(show)).toEqual([])
  })
})

test('the threads of the embedded database start without the query builder', () => {
  // It is nine tenths of what they would load. Every command starts two of them, a server up to six.
  const loaded = new Set([join(SERVER, 'store/sqlite/worker.ts')])
  for (const file of loaded)
    for (const { to } of serverImports.filter(({ from, loads }) => from === file && loads)) loaded.add(to)
  expect(loaded).toContain(join(SERVER, 'store/sqlite/apply-operations.ts'))
  expect([...loaded].filter((name) => name === 'kysely')).toEqual([])
})

describe('the packages', () => {
  test('import each other only through their entries', () => {
    const packageOf = (path: string) => relative(join(ROOT, 'packages'), path).split('/', 1)[0]
    const wrong = allImports.filter(({ from, to }) => to.startsWith('/') && packageOf(to) !== packageOf(from))
    expect(wrong.map(show)).toEqual([])
  })

  test('the contract, the SDK and the agent import no other package of ours than the contract', () => {
    const wrong = ['contract', 'sdk', 'agent']
      .flatMap((name) => sources(join(ROOT, 'packages', name, 'src')).flatMap(importsOf))
      .filter(({ to }) => to.startsWith('@inkling/') && to !== '@inkling/contract')
    expect(wrong.map(show)).toEqual([])
  })
})

test('no files import each other in a circle', () => {
  const targets = new Map(packageFiles.map((file) => [file, importsOf(file).map(({ to }) => to)]))
  const done = new Set<string>()
  const circles: string[] = []
  const visit = (file: string, path: readonly string[]): void => {
    if (path.includes(file))
      circles.push([...path.slice(path.indexOf(file)), file].map((each) => relative(ROOT, each)).join(' -> '))
    if (done.has(file) || path.includes(file)) return
    for (const target of targets.get(file) ?? []) if (targets.has(target)) visit(target, [...path, file])
    done.add(file)
  }
  for (const file of packageFiles) visit(file, [])
  expect(circles).toEqual([])
})

test('no two files of the server export the same name', () => {
  const EXPORT = /^export (?:async )?(?:const|function|interface|type|class) (\w+)/gm
  const owners = new Map<string, string[]>()
  for (const file of packageFiles.filter((name) => name.startsWith(SERVER)))
    for (const name of new Set(
      [...readFileSync(file, 'utf8').matchAll(EXPORT)].map(([, found = '']) => found),
    ))
      owners.set(name, [...(owners.get(name) ?? []), relative(SERVER, file)])
  const twice = [...owners].filter(([, files]) => files.length > 1)
  // A migration has the same name on both engines.
  const isMigration = (file: string) => file.includes('/migrations/')
  expect(twice.filter(([, files]) => !files.every(isMigration))).toEqual([])
})
