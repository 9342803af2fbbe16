import type { AccountDeps } from '../account/handler.ts'
import { derivedKey } from '../auth/derived-key.ts'
import { createIdentityProvider } from '../auth/identity-provider.ts'
import { createKnownDevices } from '../auth/known-devices.ts'
import { createSignInRecord } from '../auth/sign-in-record.ts'
import type { ServerContext } from './config.ts'
import type { Storage } from './storage.ts'
import type { Telemetry } from './telemetry.ts'

type People = Pick<AccountDeps, 'knownDevices' | 'signIns' | 'refreshKey' | 'provider' | 'exported'>

/** What signing in to the dashboard needs beside the database. */
export function openPeople(
  { config, urls, now, warn }: Pick<ServerContext, 'config' | 'urls' | 'now' | 'warn'>,
  { storage: { store, secrets }, telemetry: { metrics } }: { storage: Storage; telemetry: Telemetry },
): People {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = config
  return {
    knownDevices: createKnownDevices(secrets.secret_box_key),
    signIns: createSignInRecord({ store, count: metrics.signInEnded, now, warn }),
    refreshKey: derivedKey(secrets.secret_box_key, 'refresh tokens'),
    provider:
      issuer === undefined || clientId === undefined || clientSecret === undefined
        ? undefined
        : createIdentityProvider({
            issuer,
            clientId,
            clientSecret,
            returnUrl: `${urls.management}/dashboard/login/return`,
            emailDomains: config.OIDC_EMAIL_DOMAINS,
            ownerGroup: config.OIDC_OWNER_GROUP,
          }),
    exported: metrics.exported,
  }
}
