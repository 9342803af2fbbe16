import { hkdfSync } from 'node:crypto'
import { jwtVerify, SignJWT } from 'jose'

const ALGORITHM = 'HS256'
const ISSUER = 'inkling'
const AUDIENCE = 'inkling-account'
const TYPE = 'at+jwt'
const KEY_BYTES = 32

/** Short, because a leaked token works until then. */
export const ACCESS_TOKEN_SECONDS = 600

export interface TokenSubject {
  userId: number
  sessionId: number
}

/** Bearer tokens of the dashboard. They name a session; its rights are read from the database. */
export interface AccessTokens {
  issue(subject: TokenSubject): Promise<string>
  /** Undefined unless this installation issued the token and it has not expired. */
  read(token: string): Promise<TokenSubject | undefined>
}

/** @param secret of this installation, from which the signing key is derived */
export function createAccessTokens(secret: Uint8Array, now: () => number): AccessTokens {
  const key = new Uint8Array(hkdfSync('sha256', secret, '', 'inkling account access token', KEY_BYTES))
  return {
    issue({ userId, sessionId }) {
      const issuedAt = Math.floor(now() / 1_000)
      return new SignJWT({ sid: sessionId })
        .setProtectedHeader({ alg: ALGORITHM, typ: TYPE })
        .setSubject(String(userId))
        .setIssuer(ISSUER)
        .setAudience(AUDIENCE)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + ACCESS_TOKEN_SECONDS)
        .sign(key)
    },
    async read(token) {
      try {
        const { payload } = await jwtVerify(token, key, {
          algorithms: [ALGORITHM],
          issuer: ISSUER,
          audience: AUDIENCE,
          typ: TYPE,
          requiredClaims: ['sub', 'sid', 'exp'],
          currentDate: new Date(now()),
        })
        const { sub, sid } = payload
        return typeof sid === 'number' ? { userId: Number(sub), sessionId: sid } : undefined
      } catch {
        return undefined
      }
    },
  }
}
