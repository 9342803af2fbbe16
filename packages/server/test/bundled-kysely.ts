import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'

/** Survives until the next `npm ci`, with a folder for each version. */
const CACHE = resolve(import.meta.dirname, '../../../node_modules/.cache/inkling-kysely')
const KYSELY = resolve(import.meta.dirname, '../../../node_modules/kysely')

let loader: Promise<string> | undefined

/**
 * Arguments with which Node loads the query builder from one file instead of 257, which are a quarter of what a command
 * costs. The tests start many hundreds of commands.
 */
export async function loadBundledKysely(): Promise<string[]> {
  loader ??= makeLoader()
  return ['--import', await loader]
}

async function makeLoader(): Promise<string> {
  const { version } = JSON.parse(await readFile(join(KYSELY, 'package.json'), 'utf8')) as { version: string }
  const folder = join(CACHE, version)
  if (!existsSync(folder)) await makeBundle(folder)
  const url = new URL('load-bundled-kysely.mjs', import.meta.url)
  url.searchParams.set('folder', `${pathToFileURL(folder).href}/`)
  return url.href
}

async function makeBundle(folder: string): Promise<void> {
  await mkdir(CACHE, { recursive: true })
  const unfinished = await mkdtemp(`${folder}-`)
  await build({
    entryPoints: {
      kysely: join(KYSELY, 'dist/index.js'),
      'kysely/migration': join(KYSELY, 'dist/migration/index.js'),
    },
    outdir: unfinished,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    // What both have in common exists once.
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'esnext',
  })
  // Another worker may have made it meanwhile.
  await rename(unfinished, folder).catch(() => rm(unfinished, { recursive: true }))
}
