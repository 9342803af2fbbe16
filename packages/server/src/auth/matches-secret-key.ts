import { timingSafeEqual } from 'node:crypto'
import type { Domain } from './directory.ts'
import { hashKey } from './keys.ts'

/** Whether `key` is the Secret Key of the domain; how long it takes says nothing of how near it was. */
export const matchesSecretKey = (domain: Domain, key: string): boolean =>
  timingSafeEqual(hashKey(key), domain.secretKeyHash)
