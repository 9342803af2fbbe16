import { chmod, copyFile, cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildAgent, buildEmbed, buildHoneytokens } from '../../agent/build.ts'
import { buildDashboard } from '../../dashboard/build.ts'
import { asnIsCurrent, compileAsn } from './compile-asn.ts'
import { packClients } from './pack-clients.ts'
import { packReference } from './pack-reference.ts'
import { type ModulePlaces, transpile } from './transpile.ts'

const ROOT = join(import.meta.dirname, '../../..')
const DIST = join(import.meta.dirname, '../dist')
const ASN_FILE = 'packages/server/data/asn.bin'
const LINE_SCHEMA = 'packages/contract/generated/schemas/change-feed-line.json'
const REDOC_FILE = 'packages/server/data/redoc.js.gz'

/** Packages that are compiled into the published one: Node does not strip types inside `node_modules`. */
const TRANSPILED = ['server', 'contract', 'sdk']

/** The version of the root's `node` package, on which all tests run. */
const ENGINES = { node: '>=26' }

/**
 * Builds the published package into a folder. Keeps the layout of the repository and compiles each module separately,
 * so that paths relative to a module, such as those of workers, stay valid.
 */
export async function buildServer(target: string = DIST): Promise<void> {
  await mkdir(dirname(target), { recursive: true })
  // Renamed into place at the end, so that readers never see an unfinished build.
  const unfinished = await mkdtemp(`${target}-`)
  await chmod(unfinished, 0o755)
  const places = await modulePlaces()
  await Promise.all([
    ...TRANSPILED.map((name) =>
      transpile(join(ROOT, 'packages', name, 'src'), { from: ROOT, to: unfinished, places }),
    ),
    buildAgent(pathToFileURL(join(unfinished, 'packages/agent/dist/agent.js'))),
    buildEmbed(pathToFileURL(join(unfinished, 'packages/agent/dist/embed.js'))),
    buildHoneytokens(pathToFileURL(join(unfinished, 'packages/agent/dist/honeytokens.js'))),
    buildDashboard(pathToFileURL(join(unfinished, 'packages/dashboard/dist/'))),
    addAsn(unfinished),
    addLineSchema(unfinished),
    packReference(join(unfinished, REDOC_FILE)),
    packClients(join(unfinished, 'packages/server/data')),
    describePackage(unfinished),
  ])
  await rm(target, { recursive: true, force: true })
  await rename(unfinished, target)
}

/** The files of our own module names, relative to the root. */
async function modulePlaces(): Promise<ModulePlaces> {
  const places = new Map<string, string>()
  for (const folder of TRANSPILED) {
    const { name, exports = {} } = await readManifest(folder)
    for (const [path, file] of Object.entries(exports)) {
      places.set(join(name, path), join('packages', folder, file))
    }
  }
  return places
}

interface Manifest {
  name: string
  version: string
  exports?: Record<string, string>
  dependencies?: Record<string, string>
}

const readManifest = async (folder: string): Promise<Manifest> =>
  JSON.parse(await readFile(join(ROOT, 'packages', folder, 'package.json'), 'utf8'))

async function addAsn(target: string): Promise<void> {
  const compiled = join(ROOT, ASN_FILE)
  const file = join(target, ASN_FILE)
  await mkdir(dirname(file), { recursive: true })
  if (asnIsCurrent(compiled)) await copyFile(compiled, file)
  else compileAsn(file)
}

async function addLineSchema(target: string): Promise<void> {
  await mkdir(dirname(join(target, LINE_SCHEMA)), { recursive: true })
  await copyFile(join(ROOT, LINE_SCHEMA), join(target, LINE_SCHEMA))
}

async function describePackage(target: string): Promise<void> {
  const { devDependencies: _, ...described } = (await readManifest('server')) as Manifest & {
    devDependencies: object
  }
  const needed = await Promise.all(TRANSPILED.map(readManifest))
  const dependencies = Object.fromEntries(
    needed
      .flatMap((manifest) => Object.entries(manifest.dependencies ?? {}))
      .filter(([name]) => !name.startsWith('@inkling/'))
      .sort(([one], [other]) => one.localeCompare(other, 'en')),
  )
  const published = {
    ...described,
    dependencies,
    engines: ENGINES,
    exports: { './package.json': './package.json' },
  }
  const { name, version } = described
  await mkdir(join(target, 'packages/server'), { recursive: true })
  await writeFile(join(target, 'package.json'), json(published))
  await writeFile(join(target, 'packages/server/package.json'), json({ name, version, type: 'module' }))
  await mkdir(join(target, 'bin'))
  const bin = await readFile(join(ROOT, 'packages/server/bin/inkling.js'), 'utf8')
  await writeFile(
    join(target, 'bin/inkling.js'),
    bin.replace("'../src/cli/inkling.ts'", "'../packages/server/src/cli/inkling.js'"),
    { mode: 0o755 },
  )
  for (const name of ['LICENSE', 'NOTICE']) await cp(join(ROOT, name), join(target, name))
  await cp(join(ROOT, 'packages/server/README.md'), join(target, 'README.md'))
}

const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`

if (import.meta.main) await buildServer()
