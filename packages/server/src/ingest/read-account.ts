import { createHmac, timingSafeEqual } from 'node:crypto'
import { namesAccount } from '@inkling/contract'
import type { Domain } from '../auth/directory.ts'
import type { Received } from '../visit/received.ts'

/** An account identifier, a dot and the HMAC-SHA256 of its UTF-8 bytes in hexadecimal. */
const SIGNED = /^(?<userHid>.+)\.(?<signature>[0-9a-f]{64})$/s
const ANONYMOUS = 'anonymous'

/**
 * Whose account a visit names, and what vouches for it. Anybody can send any `user_hid`; only the customer's backend has
 * the domain's user key, as text the key of the HMAC. Without such a key the text is taken as it is.
 */
export function readAccount(
  sent: string,
  { userKey }: Pick<Domain, 'userKey'>,
): Pick<Received, 'userHid' | 'account'> {
  if (!userKey || !namesAccount(sent)) return { userHid: sent }
  const { userHid = sent, signature } = SIGNED.exec(sent)?.groups ?? {}
  if (signature !== undefined && isSigned(userHid, signature, userKey.key))
    return { userHid, account: 'signed' }
  // The visit stays, but counts for nobody's account.
  if (userKey.isRequired) return { userHid: ANONYMOUS, account: 'dropped' }
  return { userHid, account: signature === undefined ? 'claimed' : 'invalid' }
}

const isSigned = (userHid: string, signature: string, key: string): boolean =>
  timingSafeEqual(createHmac('sha256', key).update(userHid).digest(), Buffer.from(signature, 'hex'))
