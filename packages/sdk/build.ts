import { execFile } from 'node:child_process'
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { wireTypes } from './build/wire-types.ts'

const HERE = import.meta.dirname
const ROOT = join(HERE, '../..')
const DIST = join(HERE, 'dist')

/** The oldest runtime that it supports. */
const OLDEST = 'node20.9'

/** Contract modules without the schema library. Their declarations are published as they are. */
const PLAIN_MODULES = ['bands', 'identifiers']

/**
 * Builds the package as it is published: one JavaScript module, its declarations, and a `package.json` that
 * points at them. Publish the folder that this makes.
 */
export async function buildSdk(target: string = DIST): Promise<void> {
  await mkdir(dirname(target), { recursive: true })
  // Renamed into place, so that nobody reads half a package.
  const unfinished = await mkdtemp(`${target}-`)
  await chmod(unfinished, 0o755)
  await Promise.all([bundle(unfinished), declare(unfinished), describePackage(unfinished)])
  await rm(target, { recursive: true, force: true })
  await rename(unfinished, target)
}

const bundle = (target: string) =>
  build({
    entryPoints: [join(HERE, 'src/index.ts')],
    outfile: join(target, 'index.js'),
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    target: OLDEST,
    legalComments: 'none',
    logLevel: 'warning',
  })

async function declare(target: string): Promise<void> {
  const emitted = join(target, 'emitted')
  const tsc = join(ROOT, 'node_modules/.bin/tsc')
  await promisify(execFile)(tsc, ['-p', join(HERE, 'tsconfig.build.json'), '--outDir', emitted])
  const types = join(target, 'types')
  await rename(join(emitted, 'sdk/src'), types)
  for (const name of PLAIN_MODULES)
    await rename(join(emitted, `contract/src/${name}.d.ts`), join(types, `${name}.d.ts`))
  await rm(emitted, { recursive: true })
  const plain = PLAIN_MODULES.map((name) => `export * from './${name}.ts'\n`)
  await writeFile(join(types, 'contract.d.ts'), [...plain, wireTypes()].join('\n'))
  for (const name of await readdir(types, { recursive: true })) {
    if (!name.endsWith('.d.ts')) continue
    const file = join(types, name)
    const contract = relative(dirname(file), join(types, 'contract.js'))
    const text = await readFile(file, 'utf8')
    await writeFile(
      file,
      text
        .replaceAll("'@inkling/contract'", `'${contract.startsWith('.') ? contract : `./${contract}`}'`)
        .replace(/(from '\.[^']*)\.ts'/g, "$1.js'"),
    )
  }
}

/** In this repository everything runs from `src`. The published package points at what was built. */
async function describePackage(target: string): Promise<void> {
  const {
    exports: _,
    scripts: __,
    ...described
  } = JSON.parse(await readFile(join(HERE, 'package.json'), 'utf8'))
  const published = {
    ...described,
    types: './types/index.d.ts',
    exports: {
      '.': { types: './types/index.d.ts', default: './index.js' },
      './package.json': './package.json',
    },
  }
  await writeFile(join(target, 'package.json'), `${JSON.stringify(published, null, 2)}\n`)
  await cp(join(HERE, 'README.md'), join(target, 'README.md'))
  await cp(join(ROOT, 'LICENSE'), join(target, 'LICENSE'))
}

if (import.meta.main) await buildSdk()
