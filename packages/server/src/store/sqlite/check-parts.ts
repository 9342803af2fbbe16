import { createHash } from 'node:crypto'
import { open, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Kysely } from 'kysely'
import { AppError } from '../../lib/errors.ts'
import { createSecretBox } from '../../lib/secret-box.ts'
import { DATABASE_FILE, SECRETS_FILE, secretsFile } from '../data-dir.ts'
import type { Schema } from '../schema.ts'
import type { SecretsKeeper } from '../store.ts'
import { isLogDamaged } from './check-log.ts'

/**
 * Refuses a data directory whose files are damaged or do not belong together. SQLite makes a missing database anew and
 * passes over a damaged log, and the server makes missing secrets: each would look like a start and be a loss.
 */

const LOG_FILE = `${DATABASE_FILE}-wal`
const LOG_INDEX_FILE = `${DATABASE_FILE}-shm`

const refusal = (dataDir: string, problem: string, remedy: string): AppError =>
  new AppError('INK_DATA_DIR', `${resolve(dataDir)}: ${problem}. ${remedy}`)

const RESTORE = 'Restore a backup into an empty directory, or bring back the missing file'

/**
 * Checks that the files which are there can be one installation. Other processes may have the database open.
 * @throws AppError `INK_DATA_DIR`
 */
export async function checkFiles(dataDir: string): Promise<void> {
  const [database, log, logIndex, secrets] = await Promise.all(
    [DATABASE_FILE, LOG_FILE, LOG_INDEX_FILE, SECRETS_FILE].map((name) => sizeOf(join(dataDir, name))),
  )
  if (!database) {
    if (log)
      throw refusal(
        dataDir,
        `${LOG_FILE} is here, but its database ${DATABASE_FILE} is missing or empty`,
        `${RESTORE}.`,
      )
    if (secrets !== undefined)
      throw refusal(
        dataDir,
        `${SECRETS_FILE} is here, but the database ${DATABASE_FILE} is missing or empty`,
        `${RESTORE}. To begin anew, empty the directory.`,
      )
    return
  }
  // SQLite removes the index of the log before the log.
  if (logIndex !== undefined && log === undefined)
    throw refusal(
      dataDir,
      `the log ${LOG_FILE} is missing: with it the last transactions are`,
      `Bring it back; if it is lost, remove ${LOG_INDEX_FILE} and restore a backup if the database is damaged.`,
    )
  await checkHeader(dataDir, database, log ?? 0)
}

const MAGIC = 'SQLite format 3\0'

async function checkHeader(dataDir: string, bytes: number, logBytes: number): Promise<void> {
  const file = await open(join(dataDir, DATABASE_FILE), 'r')
  const header = Buffer.alloc(100)
  await file.read(header, 0, header.length, 0).finally(() => file.close())
  if (header.toString('latin1', 0, MAGIC.length) !== MAGIC)
    throw refusal(dataDir, `${DATABASE_FILE} is damaged: it is no database`, `${RESTORE}.`)
  // 1 stands for 65,536, which the two bytes cannot hold.
  const pageBytes = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16)
  // With a log the file may be shorter than it will be.
  if (logBytes === 0 && bytes < header.readUInt32BE(28) * pageBytes)
    throw refusal(dataDir, `${DATABASE_FILE} is damaged: its end is missing`, `${RESTORE}.`)
}

/**
 * Checks the log of a database that no other process has open.
 * @throws AppError `INK_DATA_DIR`
 */
export async function checkLog(dataDir: string): Promise<void> {
  // Twice, because a command may be writing to it.
  if ((await isLogDamaged(join(dataDir, LOG_FILE))) && (await isLogDamaged(join(dataDir, LOG_FILE))))
    throw refusal(
      dataDir,
      `the log ${LOG_FILE} is damaged: acknowledged transactions in it would be lost`,
      `Restore a backup into an empty directory. To go on without them, keep a copy of all files and remove ${LOG_FILE} and ${LOG_INDEX_FILE}.`,
    )
}

/** Undefined for a file that does not exist. */
const sizeOf = (path: string): Promise<number | undefined> =>
  stat(path).then(
    ({ size }) => size,
    () => undefined,
  )

/**
 * The secrets file of a database. The database keeps a hash of the key that its webhook secrets are sealed with, so the
 * secrets of another installation are noticed before they are used. Older databases get the hash at their next start.
 */
export function boundSecrets(dataDir: string, writes: Kysely<Schema>): SecretsKeeper {
  const file = secretsFile(dataDir)
  const missing = () =>
    refusal(dataDir, `the database is here, but its ${SECRETS_FILE} is missing`, `${RESTORE}.`)

  return {
    async read() {
      const text = await file.read()
      const bound = await boundHash(writes)
      if (text === undefined) {
        if (bound) throw missing()
        return undefined
      }
      const key = sealingKey(text)
      // Whoever reads the secrets says that they are damaged.
      if (!key) return text
      const hash = hashOf(key)
      const isOwn = bound ? hash.equals(bound) : await opensSealed(writes, key)
      if (!isOwn)
        throw refusal(
          dataDir,
          `${SECRETS_FILE} belongs to another database`,
          'Bring back the file that belongs to this one, or restore a backup into an empty directory.',
        )
      if (!bound) await bind(writes, hash)
      return text
    },
    async add(text) {
      const endpoint = await writes.selectFrom('endpoints').select('id').limit(1).executeTakeFirst()
      if (endpoint) throw missing()
      await file.add(text)
    },
  }
}

async function boundHash(db: Kysely<Schema>): Promise<Uint8Array | undefined> {
  const row = await db.selectFrom('installation').select('secrets_hash').executeTakeFirst()
  return row?.secrets_hash
}

const bind = (db: Kysely<Schema>, secrets_hash: Uint8Array): Promise<unknown> =>
  db
    .insertInto('installation')
    .values({ id: 1, secrets_hash })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()

/** Whether the key opens what is sealed in the database; also true if nothing is. */
async function opensSealed(db: Kysely<Schema>, key: Uint8Array): Promise<boolean> {
  const endpoint = await db.selectFrom('endpoints').select('sealed_secret').limit(1).executeTakeFirst()
  if (!endpoint) return true
  try {
    createSecretBox(key).open(endpoint.sealed_secret)
    return true
  } catch {
    return false
  }
}

/** Of 256 random bits, so the hash does not reveal it. */
const hashOf = (key: Uint8Array): Buffer =>
  createHash('sha256').update('inkling secrets ').update(key).digest()

function sealingKey(text: string): Buffer | undefined {
  try {
    const key: unknown = JSON.parse(text).secret_box_key
    return typeof key === 'string' && /^[0-9a-f]{64}$/.test(key) ? Buffer.from(key, 'hex') : undefined
  } catch {
    return undefined
  }
}
