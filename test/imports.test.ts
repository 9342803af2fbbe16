import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'

/** Keeps the import directions of docs/architecture.md: each rule names what a folder may reach. */

const ROOT = resolve(import.meta.dirname, '..')
const SERVER = join(ROOT, 'packages/server/src')

const sources = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(
      (name) =>
        /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name) && !/(^|\/)(node_modules|dist)\//.test(name),
    )
    .map((name) => join(folder, name))

interface Import {
  from: string
  to: string
}

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s[^'"]*?from\s*['"]([^'"]+)['"]|(?:^|\n)\s*import\s*['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)|new URL\(\s*['"](\.[^'"]+\.ts)['"]/g

function importsOf(file: string): Import[] {
  return [...readFileSync(file, 'utf8').matchAll(IMPORT)].flatMap((match) => {
    const target = match[1] ?? match[2] ?? match[3] ?? match[4]
    if (target === undefined) return []
    return [{ from: file, to: target.startsWith('.') ? resolve(dirname(file), target) : target }]
  })
}

/** The folder of `packages/server/src` that a file lies in; '' for the files beside them. */
const stageOf = (path: string): string | undefined => {
  const inside = relative(SERVER, path)
  if (inside.startsWith('..') || !path.startsWith('/')) return undefined
  return inside.includes('/') ? inside.split('/', 1)[0] : ''
}

const serverImports = sources(SERVER).flatMap(importsOf)
const show = ({ from, to }: Import): string => `${relative(ROOT, from)} -> ${relative(ROOT, to)}`

/** Stages in the data's way. Each knows the shapes beside the folders, and what its rule names. */
const MAY_REACH: Record<string, readonly string[]> = {
  lib: [],
  observe: ['lib'],
  enrich: ['lib'],
  identify: ['lib'],
  score: ['lib'],
  store: ['lib'],
  auth: ['lib', 'store'],
  ingest: ['lib', 'auth'],
  deliver: ['lib', 'auth', 'store'],
  legacy: ['lib', 'store'],
  history: ['lib', 'auth', 'store', 'legacy'],
  management: ['lib', 'auth', 'store', 'deliver', 'legacy'],
  patterns: ['lib', 'store', 'deliver'],
  rollups: ['lib', 'store'],
  account: ['lib', 'auth', 'store', 'deliver', 'history', 'patterns', 'enrich', 'score', 'rescore'],
  metrics: ['lib', 'store', 'deliver', 'ingest', 'observe'],
  traces: [],
  reference: ['lib'],
  'agent-script': ['lib'],
  dashboard: ['lib'],
  demo: ['lib'],
  mcp: [],
  rescore: ['lib', 'ingest', 'enrich', 'score', 'store'],
  installation: ['lib', 'auth', 'enrich', 'ingest'],
  cli: [
    'lib',
    'installation',
    'auth',
    'store',
    'deliver',
    'demo',
    'enrich',
    'ingest',
    'identify',
    'score',
    'rescore',
    'mcp',
  ],
}

/** Shapes and settings that lie beside the folders; the composition root is not for stages. */
const BESIDE: Record<string, readonly string[]> = {
  cli: ['identification.ts', 'config.ts', 'main.ts'],
}
const BESIDE_DEFAULT = ['identification.ts', 'known-device.ts', 'network-evidence.ts', 'running-state.ts']

describe('import directions', () => {
  test('the walk sees the imports that are there', () => {
    expect(serverImports.map(show)).toContain(
      'packages/server/src/visit/pipeline.ts -> packages/server/src/score/score.ts',
    )
  })

  test('every folder of the server has its rule', () => {
    const folders = new Set(serverImports.map(({ from }) => stageOf(from)))
    expect(
      [...folders].filter((stage) => stage !== '' && !(stage !== undefined && stage in MAY_REACH)),
    ).toEqual([])
  })

  test('a stage reaches only what its rule names', () => {
    const wrong = serverImports.filter(({ from, to }) => {
      const stage = stageOf(from)
      const target = stageOf(to)
      if (!stage || target === undefined || stage === target) return false
      if (target === '') return !(BESIDE[stage] ?? BESIDE_DEFAULT).includes(relative(SERVER, to))
      return !MAY_REACH[stage]?.includes(target)
    })
    expect(wrong.map(show)).toEqual([])
  })

  test('packages meet only through their entries: nobody reaches into another one', () => {
    const wrong = ['contract', 'agent', 'server', 'dashboard', 'sdk']
      .flatMap((name) => sources(join(ROOT, 'packages', name, 'src')).flatMap(importsOf))
      .filter(({ from, to }) => {
        if (!to.startsWith('/')) return false
        const packageOf = (path: string) => relative(join(ROOT, 'packages'), path).split('/', 1)[0]
        return packageOf(to) !== packageOf(from)
      })
    expect(wrong.map(show)).toEqual([])
  })

  test('the contract, the SDK and the agent need nothing of ours but the contract', () => {
    const wrong = ['contract', 'sdk', 'agent']
      .flatMap((name) => sources(join(ROOT, 'packages', name, 'src')).flatMap(importsOf))
      .filter(({ to }) => to.startsWith('@inkling/') && to !== '@inkling/contract')
    expect(wrong.map(show)).toEqual([])
  })
})
