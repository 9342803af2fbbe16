import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const derive = promisify(argon2)

/** OWASP Password Storage Cheat Sheet: argon2id with 19 MiB of memory, two passes and one lane. */
const MEMORY_KIB = 19_456
const PASSES = 2
const LANES = 1
const SALT_BYTES = 16
const HASH_BYTES = 32

const PHC = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,2})\$([\w+/-]+)\$([\w+/-]+)$/

/** PHC string: it carries its parameters, so that they can grow while older hashes go on working. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const hash = await derive('argon2id', {
    message: password.normalize('NFC'),
    nonce: salt,
    parallelism: LANES,
    tagLength: HASH_BYTES,
    memory: MEMORY_KIB,
    passes: PASSES,
  })
  return `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${LANES}$${base64(salt)}$${base64(hash)}`
}

/** What a password is checked against where there is no user: it takes as long, and none matches it. */
export const NO_USER_HASH = `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${LANES}$${base64(randomBytes(SALT_BYTES))}$${base64(randomBytes(HASH_BYTES))}`

/** Whether `password` is the one that `stored` was made of. */
export async function verifyPassword(password: string, stored: string): Promise<boolean> {
  const [, memory, passes, lanes, salt = '', hash = ''] = PHC.exec(stored) ?? []
  if (memory === undefined) return false
  const expected = Buffer.from(hash, 'base64')
  const actual = await derive('argon2id', {
    message: password.normalize('NFC'),
    nonce: Buffer.from(salt, 'base64'),
    parallelism: Number(lanes),
    tagLength: expected.length,
    memory: Number(memory),
    passes: Number(passes),
  })
  return timingSafeEqual(actual, expected)
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64').replace(/=+$/, '')
}
