import { execFile } from 'node:child_process'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeDirectory } from '../../../server/test/temporary-store.ts'
import { installed } from '../installed.ts'
import { packedProject } from '../packed-project.ts'
import { edgeWorker } from './edge-worker.ts'
import { visitedServer } from './visited-server.ts'

interface Runtime {
  name: string
  version: string
  /** Its package in the registry. */
  from: string
  /** The program in the package, and its arguments before the script. */
  command: readonly [program: string, ...args: string[]]
}

const node = (version: string): Runtime => ({ name: 'Node', version, from: 'node', command: ['node'] })

/** Every supported version of Node, the oldest one first, and other runtimes. */
const RUNTIMES: readonly Runtime[] = [
  node('20.9.0'),
  node('22.23.3'),
  node('24.9.0'),
  node('26.10.0'),
  { name: 'Bun', version: '1.4.5', from: 'bun', command: ['bun', 'run'] },
  {
    name: 'Deno',
    version: '2.9.6',
    from: 'deno',
    command: ['deno', 'run', '--allow-net', '--allow-env', '--no-lock'],
  },
]

/** The expected result of the script on every runtime. */
const EXPECTED = {
  verdict: ['scored', 0, 'trusted', 'trusted'],
  sameVerdict: true,
  rows: 2,
  accounts: ['ann'],
  explained: true,
  profile: 'shop.example',
  event: ['identification.scored', true, 'scored'],
  handled: [true, false],
  decisions: ['allow', 'deny'],
  nobody: [false, false],
  stores: ['function', 'function'],
  errors: [
    'unauthorized',
    'network',
    'timeout',
    'invalid_argument',
    'aborted',
    'not_found',
    'invalid_signature',
  ],
}

const workerd = await installed('workerd@1.20261117.1')
const found = await Promise.all(
  RUNTIMES.map(async (runtime) => ({
    ...runtime,
    ...(await installed(`${runtime.from}@${runtime.version}`)),
  })),
)

describe('the packed package works in an empty project', () => {
  const closing: (() => unknown)[] = []
  let project: string
  let smoke: string
  beforeAll(async () => {
    const directory = await makeDirectory()
    closing.push(directory.remove)
    project = directory.path
    await packedProject(project)
    for (const name of ['smoke.mjs', 'run.mjs', 'worker.mjs', 'workerd.capnp'])
      await copyFile(join(import.meta.dirname, name), join(project, name))
    smoke = JSON.stringify(await visitedServer(closing))
  })
  afterAll(async () => {
    for (const close of closing.toReversed()) await close()
  })

  for (const { name, version, command, folder, missing } of found) {
    const [program, ...args] = command
    const title = `in ${name} ${version}`
    test.skipIf(missing !== undefined)(missing ? `${title}: not run, ${missing}` : title, async () => {
      const path = join(folder ?? '', 'node_modules/.bin', program)
      const { stdout } = await promisify(execFile)(path, [...args, 'run.mjs'], {
        cwd: project,
        env: { PATH: process.env.PATH, HOME: project, SMOKE: smoke },
      })
      expect(JSON.parse(stdout)).toEqual({ ran: version, ...EXPECTED })
    })
  }

  const { folder, missing } = workerd
  const title = 'in an edge runtime'
  test.skipIf(missing !== undefined)(missing ? `${title}: not run, ${missing}` : title, async () => {
    const url = await edgeWorker(folder ?? '', project)
    const answer = await fetch(url, { method: 'POST', body: smoke })
    expect(await answer.json()).toEqual(EXPECTED)
  })
})
