import { readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { webhooks } from '@inkling/sdk'
import { expect, test } from 'vitest'
import { runCli } from '../../test/run-cli.ts'
import { getHistory, runningServer } from '../../test/running-server.ts'
import { ROOMY, serverOn, steadyVisits } from '../../test/steady-visits.ts'
import { temporaryDirectory } from '../../test/temporary-store.ts'
import { webhookReceiver } from '../../test/webhook-receiver.ts'
import { DATABASE_FILE } from '../store/data-dir.ts'

const PATH = process.env.PATH ?? ''
const BEFORE = 300
/** Each visit waits for the disk, which other tests use at the same time. */
const LIMIT_MS = 180_000

const inkling = (dataDir: string, ...args: string[]) =>
  runCli([...args, '--json'], { DATA_DIR: dataDir, PATH, WEBHOOK_ALLOW_PRIVATE: 'true' })

test(
  'a backup under load has every identification acknowledged before it, and its secrets still sign',
  async () => {
    const receiver = await webhookReceiver()
    const server = await runningServer({ endpoints: [receiver.url], settings: ROOMY })
    const [folder, restored] = [await temporaryDirectory(), await temporaryDirectory()]
    const file = join(folder, 'inkling.backup')
    const load = steadyVisits(server)
    await load.count(BEFORE)

    const before = [...load.acknowledged]
    const backup = await inkling(server.directory, 'backup', file)
    const during = load.acknowledged.length - before.length
    await load.end()
    expect(backup).toMatchObject({ status: 0, stderr: '' })
    expect(during).toBeGreaterThan(0)
    expect(JSON.parse(backup.stdout)).toEqual({ file, bytes: (await stat(file)).size })
    expect((await stat(file)).mode & 0o777).toBe(0o600)

    expect(await inkling(restored, 'restore', file)).toMatchObject({ status: 0, stderr: '' })
    const again = await serverOn({ DATA_DIR: restored }, server.keys)
    for (const id of before) {
      const [there, was] = await Promise.all(
        [again, server].map((one) => getHistory(one, `request_id/${id}`)),
      )
      expect(await there?.json()).toEqual(await was?.json())
    }

    const { length } = receiver.received
    const [{ id }] = JSON.parse((await inkling(restored, 'webhook', 'list', server.keys.domain)).stdout)
    expect(await inkling(restored, 'webhook', 'test', server.keys.domain, String(id))).toMatchObject({
      status: 0,
    })
    const delivery = (await receiver.count(length + 1)).at(-1)
    const signature = delivery?.headers['x-svc-signature']
    await expect(webhooks.verify(delivery?.body ?? '', signature, server.secrets)).resolves.toBeDefined()
  },
  LIMIT_MS,
)

test('a backup overwrites no file, and a restore no data directory', async () => {
  const [dataDir, folder] = [await temporaryDirectory(), await temporaryDirectory()]
  await inkling(dataDir, 'domain', 'add', 'shop.example')
  const file = join(folder, 'inkling.backup')
  await writeFile(file, 'of somebody else')
  expect(await inkling(dataDir, 'backup', file)).toMatchObject({ status: 1, stdout: '' })
  expect((await stat(file)).size).toBe('of somebody else'.length)

  const good = join(folder, 'good.backup')
  expect((await inkling(dataDir, 'backup', good)).status).toBe(0)
  const refused = await inkling(dataDir, 'restore', good)
  expect(refused).toMatchObject({ status: 1, stdout: '' })
  expect(refused.stderr).toContain('is not empty')
  expect((await readdir(folder)).sort()).toEqual(['good.backup', 'inkling.backup'])
})

test('a file that is not a backup is not restored, and nothing is left behind', async () => {
  const [dataDir, folder] = [await temporaryDirectory(), await temporaryDirectory()]
  await inkling(dataDir, 'domain', 'add', 'shop.example')
  const text = join(folder, 'notes.txt')
  await writeFile(text, 'notes')
  const empty = await temporaryDirectory()
  for (const file of [text, join(dataDir, 'inkling.db'), join(folder, 'missing')]) {
    expect(await inkling(empty, 'restore', file)).toMatchObject({ status: 1, stdout: '' })
    expect(await readdir(empty)).toEqual([])
  }
})

test('a directory without a database has nothing to back up', async () => {
  const [dataDir, folder] = [await temporaryDirectory(), await temporaryDirectory()]
  const refused = await inkling(dataDir, 'backup', join(folder, 'inkling.backup'))
  expect(refused).toMatchObject({ status: 1, stdout: '' })
  expect(refused.stderr).toContain('no database')
  expect(await readdir(folder)).toEqual([])
})

test('doctor has a missing database beside its secrets brought back, not made anew', async () => {
  const dataDir = await temporaryDirectory()
  expect((await inkling(dataDir, 'domain', 'add', 'shop.example')).status).toBe(0)
  await rm(join(dataDir, DATABASE_FILE))
  const { status, stdout } = await inkling(dataDir, 'doctor', '--json')
  expect(status).toBe(1)
  expect(JSON.parse(stdout)).toContainEqual({
    check: 'database',
    ok: false,
    detail: expect.stringContaining('Restore a backup'),
  })
})

test('with PostgreSQL both commands refer to its own tools', async () => {
  const DATABASE_URL = 'postgres://nobody@127.0.0.1:1/none'
  for (const [command, tool] of [
    ['backup', 'pg_dump'],
    ['restore', 'pg_restore'],
  ] as const) {
    const refused = await runCli([command, '/nowhere/file'], { PATH, DATABASE_URL })
    expect(refused).toMatchObject({ status: 1, stdout: '' })
    expect(refused.stderr).toContain(tool)
  }
})
