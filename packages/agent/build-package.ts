import { execFile } from 'node:child_process'
import { chmod, cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { BROWSERS, buildAgent } from './build.ts'

const HERE = import.meta.dirname
const ROOT = join(HERE, '../..')
const DIST = join(HERE, 'dist/package')

/** Entries for pages built with a bundler. */
const ENTRIES = ['index', 'react', 'vue']
/** The files whose declarations are published. */
const DECLARED = [
  'index',
  'check',
  ...ENTRIES.map((name) => `embed/${name}`),
  ...['identify', 'identify-on-interaction', 'place-honeytokens'].map((name) => `embed/${name}`),
]

/** Builds the folder to publish: the agent, the entries for pages, and declarations. */
export async function buildAgentPackage(target: string = DIST): Promise<void> {
  await mkdir(dirname(target), { recursive: true })
  // Built in another folder and renamed, so that a reader never sees half of it.
  const unfinished = await mkdtemp(`${target}-`)
  await chmod(unfinished, 0o755)
  await Promise.all([
    buildAgent(pathToFileURL(join(unfinished, 'agent.js'))),
    bundle(unfinished),
    declare(unfinished),
    describePackage(unfinished),
  ])
  await rm(target, { recursive: true, force: true })
  await rename(unfinished, target)
}

const bundle = (target: string) =>
  build({
    entryPoints: ENTRIES.map((name) => join(HERE, 'src/embed', `${name}.ts`)),
    outdir: join(target, 'embed'),
    bundle: true,
    splitting: true,
    format: 'esm',
    target: BROWSERS,
    external: ['react', 'vue'],
    legalComments: 'none',
    logLevel: 'warning',
  })

async function declare(target: string): Promise<void> {
  const emitted = join(target, 'emitted')
  const tsc = join(ROOT, 'node_modules/.bin/tsc')
  await promisify(execFile)(tsc, ['-p', join(HERE, 'tsconfig.package.json'), '--outDir', emitted])
  await mkdir(join(target, 'embed'), { recursive: true })
  for (const name of DECLARED) {
    const text = await readFile(join(emitted, 'agent/src', `${name}.d.ts`), 'utf8')
    await writeFile(
      join(target, `${name}.d.ts`),
      text.replace(/((?:from |import\()'\.[^']*)\.ts'/g, "$1.js'"),
    )
  }
  await rm(emitted, { recursive: true })
}

/** The package file as published: entries are JavaScript there, and `src` in this repository. */
async function describePackage(target: string): Promise<void> {
  const described = JSON.parse(await readFile(join(HERE, 'package.json'), 'utf8'))
  const entry = (name: string) => ({ types: `./${name}.d.ts`, default: `./${name}.js` })
  const published = {
    ...described,
    exports: {
      '.': { types: './index.d.ts', default: './agent.js' },
      './embed': entry('embed/index'),
      './react': entry('embed/react'),
      './vue': entry('embed/vue'),
      './package.json': './package.json',
    },
  }
  await writeFile(join(target, 'package.json'), `${JSON.stringify(published, null, 2)}\n`)
  await cp(join(HERE, 'README.md'), join(target, 'README.md'))
  await cp(join(ROOT, 'LICENSE'), join(target, 'LICENSE'))
}

if (import.meta.main) await buildAgentPackage()
