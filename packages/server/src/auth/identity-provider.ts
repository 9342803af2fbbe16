import type { Configuration } from 'openid-client'
import { AppError } from '../lib/errors.ts'

export interface ProviderSettings {
  issuer: string
  clientId: string
  clientSecret: string
  /** Where the provider sends the browser back to. */
  returnUrl: string
  /** E-mail domains whose people may sign in; the others are refused. Empty: only users that an owner invited. */
  emailDomains: readonly string[]
  /** Member of the claim `groups` that makes an owner; undefined: roles are managed here. */
  ownerGroup: string | undefined
}

/** What an unfinished sign-in has to compare later. */
export interface ProviderChecks {
  state: string
  nonce: string
  verifier: string
}

/** Who the provider says is signing in. */
export interface ProviderIdentity {
  /** Issuer and subject. */
  subject: string
  email: string
  emailVerified: boolean
  groups: string[]
  /** When they gave the provider their credentials; undefined if it does not say. */
  authenticatedAtMs: number | undefined
}

/** Sign-in with OpenID Connect: the authorization code flow with PKCE, state and nonce. */
export interface IdentityProvider {
  /** Its host, as people know it. */
  host: string
  settings: ProviderSettings
  /**
   * @param fresh whether the provider should ask for credentials although somebody is signed in there
   * @throws AppError `INK_PROVIDER_UNREACHABLE`
   */
  begin(fresh: boolean): Promise<{ url: string; checks: ProviderChecks }>
  /**
   * @param parameters the query with which the browser came back
   * @throws AppError `INK_PROVIDER_REFUSED`
   */
  finish(parameters: string, checks: ProviderChecks): Promise<ProviderIdentity>
}

const THIS_MACHINE = ['localhost', '127.0.0.1', '[::1]']

/** Loaded at the first sign-in: most installations have no provider. */
const library = () => import('openid-client')

export function createIdentityProvider(settings: ProviderSettings): IdentityProvider {
  const issuer = new URL(settings.issuer)
  let found: Promise<Configuration> | undefined

  /** What the provider publishes of itself. A failure is not kept. */
  async function configuration(): Promise<Configuration> {
    const { discovery, allowInsecureRequests } = await library()
    // Without TLS only on this machine, as in tests.
    const execute =
      issuer.protocol === 'http:' && THIS_MACHINE.includes(issuer.hostname) ? [allowInsecureRequests] : []
    found ??= discovery(issuer, settings.clientId, settings.clientSecret, undefined, { execute })
    try {
      return await found
    } catch (cause) {
      found = undefined
      throw new AppError('INK_PROVIDER_UNREACHABLE', undefined, { cause })
    }
  }

  return {
    host: issuer.host,
    settings,
    async begin(fresh) {
      const openid = await library()
      const config = await configuration()
      const checks = {
        state: openid.randomState(),
        nonce: openid.randomNonce(),
        verifier: openid.randomPKCECodeVerifier(),
      }
      const url = openid.buildAuthorizationUrl(config, {
        redirect_uri: settings.returnUrl,
        scope: settings.ownerGroup === undefined ? 'openid email' : 'openid email groups',
        code_challenge: await openid.calculatePKCECodeChallenge(checks.verifier),
        code_challenge_method: 'S256',
        state: checks.state,
        nonce: checks.nonce,
        // The age as well: a provider that is asked for it also says when it saw the credentials.
        ...(fresh && { prompt: 'login', max_age: '0' }),
      })
      return { url: url.href, checks }
    },
    async finish(parameters, { state, nonce, verifier }) {
      const openid = await library()
      const config = await configuration()
      try {
        const returned = new URL(settings.returnUrl)
        returned.search = parameters
        const tokens = await openid.authorizationCodeGrant(config, returned, {
          pkceCodeVerifier: verifier,
          expectedState: state,
          expectedNonce: nonce,
          idTokenExpected: true,
        })
        const claims = tokens.claims()
        if (!claims) throw new Error('the provider sent no ID token')
        // Some providers tell the address to who asks for it only.
        const told =
          claims.email === undefined && config.serverMetadata().userinfo_endpoint !== undefined
            ? { ...(await openid.fetchUserInfo(config, tokens.access_token, claims.sub)), ...claims }
            : claims
        return identityIn(told)
      } catch (cause) {
        throw new AppError('INK_PROVIDER_REFUSED', undefined, { cause })
      }
    },
  }
}

function identityIn(claims: Record<string, unknown>): ProviderIdentity {
  const { iss, sub, email, email_verified, groups, auth_time } = claims
  return {
    subject: `${String(iss)} ${String(sub)}`,
    email: typeof email === 'string' ? email.toLowerCase() : '',
    emailVerified: email_verified === true,
    groups: Array.isArray(groups) ? groups.map(String) : [],
    authenticatedAtMs: typeof auth_time === 'number' ? auth_time * 1_000 : undefined,
  }
}
