/** Response header of a snapshot that carries the sealed verdict. */
export const SEALED_VERDICT_HEADER = 'x-sealed-verdict'

/**
 * `1.KEY_ID.SEALED`, the last in Base64 for URLs: the nonce, the content encrypted with AES-256-GCM, and the tag. The
 * content is JSON, filled up with blanks to one length, such that no two texts are the same bytes.
 */
export const SEALED_VERDICT = {
  version: '1',
  nonceBytes: 12,
  contentBytes: 1_022,
  tagBytes: 16,
  lifeMs: 300_000,
} as const

/** What a sealed verdict is bound to, its additional data. */
export const sealedVerdictBinding = (to: { keyId: string; domain: string; requestId: string }): string =>
  `inkling sealed verdict ${SEALED_VERDICT.version}\n${to.keyId}\n${to.domain}\n${to.requestId}`

/** `repeated`: the request ID was used before. Times in Unix milliseconds. */
export interface SealedContent {
  status: 'scored' | 'rate_limited' | 'repeated'
  score?: number
  /** Names of the flags that are raised. */
  flags?: string[]
  device_id?: string
  visitor_id?: string
  cookie_id?: string
  ver?: number
  observed_at?: number
  issued_at: number
  expires_at: number
}
