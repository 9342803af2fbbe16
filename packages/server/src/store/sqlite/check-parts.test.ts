import { copyFile, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryDirectory } from '../../../test/temporary-store.ts'
import { registerDomain } from '../../auth/register-domain.ts'
import { openServerSecrets } from '../../auth/server-secrets.ts'
import { addEndpoint } from '../../deliver/webhook-endpoints.ts'
import { createSecretBox } from '../../lib/secret-box.ts'
import { domainStore } from '../domains/domains.ts'
import { openSqlite } from './open-sqlite.ts'

/** An installation with a domain and a sealed webhook secret. */
async function installation(): Promise<string> {
  const directory = await temporaryDirectory()
  const store = await openSqlite(directory)
  const { secret_box_key } = await openServerSecrets(store.secrets)
  await registerDomain(store, 'shop.example', 1)
  await addEndpoint(store, createSecretBox(secret_box_key), 1, 'https://shop.example/hook', 1)
  await store.close()
  return directory
}

/** Opens like a server: the database, then the secrets. */
async function start(directory: string): Promise<string[]> {
  const store = await openSqlite(directory)
  try {
    await openServerSecrets(store.secrets)
    return (await domainStore(store.reads).list()).map(({ name }) => name)
  } finally {
    await store.close()
  }
}

const refused = (text: string) => ({ code: 'INK_DATA_DIR', message: expect.stringContaining(text) })

test('after a stop the database file stands alone', async () => {
  const directory = await installation()
  expect((await readdir(directory)).sort()).toEqual(['inkling.db', 'secrets.json'])
  expect(await start(directory)).toEqual(['shop.example'])
})

test.each([
  ['a database without its secrets', 'secrets.json is missing', (at: string) => rm(join(at, 'secrets.json'))],
  ['secrets without their database', 'inkling.db is missing', (at: string) => rm(join(at, 'inkling.db'))],
  ['an empty database', 'inkling.db is missing or empty', (at: string) => truncate(join(at, 'inkling.db'))],
  [
    'a database that is cut off',
    'its end is missing',
    (at: string) => truncate(join(at, 'inkling.db'), 40_960),
  ],
  [
    'a file that is no database',
    'it is no database',
    (at: string) => writeFile(join(at, 'inkling.db'), 'x'.repeat(9_000)),
  ],
  [
    'the secrets of another installation',
    'belongs to another database',
    async (at: string) => copyFile(join(await installation(), 'secrets.json'), join(at, 'secrets.json')),
  ],
])('%s is refused, with what to do, and nothing is made anew', async (_, text, damage) => {
  const directory = await installation()
  await damage(directory)
  const before = await readdir(directory)
  await expect(start(directory)).rejects.toMatchObject(refused(text))
  expect(await readdir(directory)).toEqual(before)
})

test('the secrets of another installation are noticed in a database that is not bound yet', async () => {
  const directory = await installation()
  const db = new DatabaseSync(join(directory, 'inkling.db'))
  db.exec('delete from installation')
  db.close()
  expect(await start(directory)).toEqual(['shop.example'])
  const bound = new DatabaseSync(join(directory, 'inkling.db'))
  expect(bound.prepare('select count(*) as rows from installation').get()).toEqual({ rows: 1 })
  bound.exec('delete from installation')
  bound.close()
  await copyFile(join(await installation(), 'secrets.json'), join(directory, 'secrets.json'))
  await expect(start(directory)).rejects.toMatchObject(refused('belongs to another database'))
})

/** A copy of a database in use, with the last transactions in its log. */
async function crashed(): Promise<{ directory: string; logBytes: number; log: string }> {
  const [source, directory] = [await installation(), await temporaryDirectory()]
  const db = new DatabaseSync(join(source, 'inkling.db'))
  onTestFinished(() => db.close())
  db.exec('pragma journal_mode = wal; pragma wal_autocheckpoint = 0')
  for (let version = 2; version < 12; version++)
    db.exec(`update directory_version set version = ${version}; update domains set remaining = ${version}`)
  for (const name of await readdir(source)) await copyFile(join(source, name), join(directory, name))
  const log = join(directory, 'inkling.db-wal')
  return { directory, log, logBytes: (await readFile(log)).length }
}

const remaining = (directory: string): unknown => {
  const db = new DatabaseSync(join(directory, 'inkling.db'))
  try {
    return db.prepare('select remaining from domains').get()?.remaining
  } finally {
    db.close()
  }
}

/** Overwrites bytes in the middle of a file. */
async function damage(path: string, at: number, bytes: number): Promise<void> {
  const content = await readFile(path)
  content.fill(0x55, at, at + bytes)
  await writeFile(path, content)
}

test('after a crash every committed transaction is there', async () => {
  const { directory } = await crashed()
  expect(await start(directory)).toEqual(['shop.example'])
  expect(remaining(directory)).toBe(11)
})

test('a transaction that a crash cut off is no damage', async () => {
  const { directory, log, logBytes } = await crashed()
  await truncate(log, logBytes - 100)
  expect(await start(directory)).toEqual(['shop.example'])
  expect(remaining(directory)).toBe(10)
})

test.each([
  ['in its first frame', () => [100, 8]],
  ['in its middle', (bytes: number) => [Math.floor(bytes / 2), 512]],
  ['in its header', () => [0, 32]],
])('a log that is damaged %s is refused and stays as it is', async (_, place) => {
  const { directory, log, logBytes } = await crashed()
  const [at = 0, bytes = 0] = place(logBytes)
  await damage(log, at, bytes)
  const before = await readFile(log)
  await expect(start(directory)).rejects.toMatchObject(refused('is damaged'))
  expect((await readFile(log)).equals(before)).toBe(true)
})

test('a log that is gone while its index is there is refused', async () => {
  const { directory, log } = await crashed()
  await rm(log)
  await expect(start(directory)).rejects.toMatchObject(refused('inkling.db-wal is missing'))
})
