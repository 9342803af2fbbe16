import { createCipheriv, randomBytes } from 'node:crypto'
import { SEALED_VERDICT, type SealedContent, sealedVerdictBinding } from '@inkling/contract'
import type { Domain } from '../auth/directory.ts'
import type { Scored } from '../visit/identification.ts'

/**
 * The verdict as only the customer's backend can read it, of the same length whatever it says; undefined where the
 * domain has none sealed. Without a score it says so, because its absence would tell the page.
 * @param scored undefined for a repeated request ID
 */
export function sealVerdict(
  { name, verdictKey }: Pick<Domain, 'name' | 'verdictKey'>,
  requestId: string,
  scored: Scored | 'rate_limited' | undefined,
  nowMs: number,
): string | undefined {
  if (!verdictKey) return undefined
  const { id, key } = verdictKey(nowMs)
  const content: SealedContent = {
    ...contentOf(scored),
    issued_at: nowMs,
    expires_at: nowMs + SEALED_VERDICT.lifeMs,
  }
  const text = Buffer.from(JSON.stringify(content))
  if (text.length > SEALED_VERDICT.contentBytes) throw new Error('the verdict is too long to be sealed')
  const padded = Buffer.alloc(SEALED_VERDICT.contentBytes, ' ')
  text.copy(padded)
  const nonce = randomBytes(SEALED_VERDICT.nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  cipher.setAAD(Buffer.from(sealedVerdictBinding({ keyId: id, domain: name, requestId })))
  const sealed = Buffer.concat([nonce, cipher.update(padded), cipher.final(), cipher.getAuthTag()])
  return `${SEALED_VERDICT.version}.${id}.${sealed.toString('base64url')}`
}

function contentOf(
  scored: Scored | 'rate_limited' | undefined,
): Omit<SealedContent, 'issued_at' | 'expires_at'> {
  if (scored === 'rate_limited') return { status: 'rate_limited' }
  if (!scored) return { status: 'repeated' }
  const { verdict, identity, cookieId, atMs } = scored
  return {
    status: 'scored',
    score: verdict.score,
    flags: Object.entries(verdict.flags).flatMap(([flag, isRaised]) => (isRaised ? [flag] : [])),
    device_id: identity.deviceId,
    visitor_id: identity.visitorId,
    cookie_id: cookieId,
    ver: atMs,
    observed_at: atMs,
  }
}
