import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, cp, mkdir, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildServer } from '../../packages/server/build/build-server.ts'
import { freePort } from '../../packages/server/src/lib/free-port.ts'
import { makeDirectory, type OwnDirectory } from '../../packages/server/test/temporary-store.ts'

/** Runs the steps of deploy/Dockerfile without a container engine. */

const ROOT = join(import.meta.dirname, '../..')
const INSTALL_LIMIT_MS = 300_000
/** User of the image. */
const USER = 1000
/** A new PID namespace, in which the server is process 1, and a read-only root. */
const CONTAINER = ['--pid', '--mount', '--fork', '--kill-child', '--mount-proc']
const READ_ONLY = 'mount --bind "$DATA_DIR" "$DATA_DIR" && mount -o remount,bind,ro /'
const AS_USER = `exec setpriv --reuid=${USER} --regid=${USER} --clear-groups --no-new-privs "$@"`

const run = promisify(execFile)

function whyNoContainer(): string | undefined {
  const probe = spawnSync('unshare', [
    ...CONTAINER,
    'sh',
    '-c',
    'mount -o remount,bind,ro / && setpriv --dump',
  ])
  return probe.status === 0 ? undefined : 'it needs root on Linux, unshare and setpriv'
}

const why = whyNoContainer()

describe.skipIf(why !== undefined)(`the image${why === undefined ? '' : `: not run, ${why}`}`, () => {
  let directory: OwnDirectory
  let app: string
  beforeAll(async () => {
    directory = await makeDirectory()
    // Readable by the user of the image.
    await chmod(directory.path, 0o755)
    app = await replay(directory.path)
  }, INSTALL_LIMIT_MS)
  afterAll(() => directory?.remove())

  /** Settings of one container, with its data in a folder of its user. */
  async function settingsOf(name: string): Promise<Record<string, string>> {
    const data = join(directory.path, name)
    await mkdir(data, { mode: 0o700 })
    await chown(data, USER, USER)
    const port = String(await freePort('127.0.0.1'))
    const quiet = { FEEDS: 'off', TURN_PORT: 'off', LOG_LEVEL: 'warn' }
    return { PATH: process.env.PATH ?? '', NODE_ENV: 'production', DATA_DIR: data, PORT: port, ...quiet }
  }

  test('runs on a read-only root, as process 1 and not as root, passes its check, and stops cleanly on SIGTERM', async () => {
    const env = await settingsOf('data')
    const container = spawn(
      'unshare',
      [...CONTAINER, 'sh', '-c', `${READ_ONLY} && ${AS_USER}`, 'sh', ...SERVE],
      {
        cwd: app,
        env,
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    const ended = once(container, 'exit')
    await listening(container)
    expect(await healthOf(app, env)).toBe(0)
    const children = await readFile(`/proc/${container.pid}/task/${container.pid}/children`, 'utf8')
    process.kill(Number.parseInt(children, 10), 'SIGTERM')
    expect((await ended)[0]).toBe(0)
  })

  test('its check fails without a server', async () => {
    expect(await healthOf(app, await settingsOf('silent'))).toBe(1)
  })
})

const SERVE = [process.execPath, 'bin/inkling.js', 'serve']

/** The contents of /app in the last stage of the Dockerfile. */
async function replay(folder: string): Promise<string> {
  const source = join(folder, 'source')
  const dockerfile = await readFile(join(ROOT, 'deploy/Dockerfile'), 'utf8')
  const manifests = [
    ...dockerfile.matchAll(/^COPY (package\S*\.json) (package\S*\.json) \.\/$|^COPY (packages\S+) /gm),
  ]
  for (const path of manifests.flatMap((found) => found.slice(1).filter((name) => name !== undefined)))
    await cp(join(ROOT, path), join(source, path))
  const [, install = ''] = /^RUN (npm ci --omit=dev.*)$/m.exec(dockerfile) ?? []
  await run('sh', ['-c', install.replace('npm ci', 'npm ci --prefer-offline')], {
    cwd: source,
    // The Node of this process comes first, like that of the image.
    env: { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH}` },
    timeout: INSTALL_LIMIT_MS,
  })
  const app = join(folder, 'app')
  await buildServer(app)
  await cp(join(source, 'node_modules'), join(app, 'node_modules'), {
    recursive: true,
    verbatimSymlinks: true,
  })
  await cp(join(ROOT, 'deploy/healthcheck.js'), join(app, 'healthcheck.js'))
  await rm(source, { recursive: true })
  return app
}

async function listening({ stdout }: ChildProcess): Promise<void> {
  if (!stdout) throw new Error('no output')
  for await (const line of createInterface(stdout)) if (line.startsWith('listening on ')) return
  throw new Error('it ended before it listened')
}

async function healthOf(app: string, env: Record<string, string>): Promise<number | null> {
  const check = spawn(process.execPath, ['healthcheck.js'], { cwd: app, env })
  const [status] = (await once(check, 'exit')) as [number | null]
  return status
}
