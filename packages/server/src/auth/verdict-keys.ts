import { randomBytes } from 'node:crypto'
import type { SecretBox } from '../lib/secret-box.ts'
import type { DomainChange, DomainRow } from '../store/domains/domains.ts'

/** The key by which verdicts are sealed for a customer's backend. Its text is `ivk_`, the ID, and the key in hex. */
export interface VerdictKey {
  id: string
  key: Uint8Array
}

/** Returns the key that seals at a time. */
export type VerdictKeyAt = (atMs: number) => VerdictKey

type Keys = Pick<DomainRow, 'sealed_verdicts' | 'verdict_key' | 'next_verdict_key' | 'next_verdict_from'>

const PREFIX = 'ivk'

function readKey(text: string): VerdictKey {
  const [, id = '', hex = ''] = text.split('_')
  return { id, key: Buffer.from(hex, 'hex') }
}

/** Undefined where the domain has switched sealed verdicts off. */
export function openVerdictKeys(row: Keys, box: SecretBox): VerdictKeyAt | undefined {
  if (row.sealed_verdicts === 0 || row.verdict_key === null) return undefined
  const current = readKey(box.open(row.verdict_key))
  const next = row.next_verdict_key && readKey(box.open(row.next_verdict_key))
  return (atMs) => (next && atMs >= (row.next_verdict_from ?? 0) ? next : current)
}

export interface NewVerdictKey {
  keyId: string
  /** To be shown once. */
  key: string
  /** When it begins to seal. */
  fromMs: number
  change: DomainChange
}

/**
 * A new key and the change that stores it. The present one seals until `fromMs`, so that a backend can know both by
 * then; without a present one the new one seals at once.
 */
export function newVerdictKey(
  row: Keys,
  box: SecretBox,
  { nowMs, fromMs }: { nowMs: number; fromMs: number },
): NewVerdictKey {
  const keyId = randomBytes(4).toString('hex')
  const key = `${PREFIX}_${keyId}_${randomBytes(32).toString('hex')}`
  const sealed = box.seal(key)
  const isNextDue = row.next_verdict_key !== null && nowMs >= (row.next_verdict_from ?? 0)
  const current = isNextDue ? row.next_verdict_key : row.verdict_key
  const isWaiting = current !== null && fromMs > nowMs
  const change = isWaiting
    ? { verdict_key: current, next_verdict_key: sealed, next_verdict_from: fromMs }
    : { verdict_key: sealed, next_verdict_key: null, next_verdict_from: null }
  return { keyId, key, fromMs: isWaiting ? fromMs : nowMs, change }
}
