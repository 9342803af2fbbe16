import { fileURLToPath } from 'node:url'
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'
import { onTestFinished } from 'vitest'
import { accountRoutes } from '../../src/account/account-routes.ts'
import type { AccountDeps } from '../../src/account/handler.ts'
import { createAccessTokens } from '../../src/auth/access-token.ts'
import { createKnownDevices } from '../../src/auth/known-devices.ts'
import { createLoginThrottle } from '../../src/auth/login-throttle.ts'
import { startSession } from '../../src/auth/sessions.ts'
import { createSignInRecord } from '../../src/auth/sign-in-record.ts'
import { hashPassword } from '../../src/auth/users.ts'
import { TEST_SEND_LIMIT } from '../../src/composition/limits.ts'
import { createAlertSender } from '../../src/deliver/alerts/alert-sender.ts'
import { createSafeFetch } from '../../src/deliver/safe-fetch.ts'
import { readCatalogue } from '../../src/enrich/agents/catalogue.ts'
import { createFeeds } from '../../src/enrich/feeds/feeds.ts'
import { openIpDatabase } from '../../src/enrich/ip/ip-facts.ts'
import { createDecisionBackTests } from '../../src/jobs/decision-back-test/decision-back-tests.ts'
import { createWeightsBackTests } from '../../src/jobs/rescore/weights-back-tests.ts'
import { createRateLimit } from '../../src/lib/limits.ts'
import { createLog } from '../../src/lib/log.ts'
import type { Store } from '../../src/store/store.ts'
import { auditStore, type UserRow, userStore } from '../../src/store/users/users.ts'
import { createLatencyRecord } from '../../src/telemetry/running-state.ts'
import { temporaryDirectory } from '../temporary-store.ts'
import { surface, type TestDomain, temporaryDomain } from '../temporary-surface.ts'

export const PASSWORD = 'correct horse battery'
/** Created once, because it takes longer than the rest of a surface. */
const PASSWORD_HASH = hashPassword(PASSWORD)

const ASN_FILE = fileURLToPath(new URL('../../data/asn.bin', import.meta.url))
const SILENT = createLog('silent')

export interface AccountSurface extends TestDomain {
  app: FastifyInstance
  /** The time of this surface, which tests change. */
  clock: { nowMs: number }
  owner: UserRow
  analyst: UserRow
  /** Access tokens of the two users, each from its own session. */
  tokens: Record<'owner' | 'analyst', string>
  /** Sends a request as the owner unless another token, or none, is given. */
  ask(options: InjectOptions & { token?: string | undefined }): Promise<LightMyRequestResponse>
  /** Actions in the audit log, newest first. */
  actions(): Promise<string[]>
}

/** The account API of one test, with an owner and an analyst. */
export async function accountSurface(given: Partial<AccountDeps> = {}): Promise<AccountSurface> {
  const domain = await temporaryDomain()
  const clock = { nowMs: Date.UTC(2026, 10, 21) }
  const now = () => clock.nowMs
  const warn = (message: string, error: unknown) => {
    throw new Error(message, { cause: error })
  }
  const fetch = createSafeFetch({ allowPrivate: true })
  onTestFinished(() => fetch.close())
  const deps: AccountDeps = {
    store: domain.store,
    directory: domain.directory,
    secrets: domain.secrets,
    tokens: createAccessTokens(Buffer.alloc(32, 7), now),
    throttle: createLoginThrottle(undefined),
    knownDevices: createKnownDevices(Buffer.alloc(32, 7)),
    signIns: createSignInRecord({ store: domain.store, count: () => undefined, now, warn }),
    refreshKey: Buffer.alloc(32, 8),
    provider: undefined,
    exported: () => undefined,
    clientAddress: (peer) => peer,
    alerts: createAlertSender({ fetch, serviceName: 'Svc', mail: undefined, now }),
    sender: { fetch, serviceName: 'Svc', standardHeaders: false, now },
    testSends: createRateLimit(TEST_SEND_LIMIT, { name: 'test', pool: undefined }),
    allowPrivateWebhooks: true,
    secretOverlapMs: 0,
    baseUrl: 'http://localhost:8080',
    keyRotated: () => Promise.resolve(),
    ...(await operatorDeps(domain.store, now)),
    agentCatalogue: await readCatalogue('public'),
    now,
    warn,
    ...given,
  }
  const app = surface(accountRoutes(deps), [])

  async function signIn(role: UserRow['role']) {
    const added = await userStore(domain.store.writes).add({
      email: `${role}@shop.example`,
      password_hash: await PASSWORD_HASH,
      role,
      created_at: clock.nowMs,
    })
    if (!added) throw new Error('the user was not added')
    const { sessionId } = await startSession(domain.store, added, clock.nowMs)
    return { user: added, token: await deps.tokens.issue({ userId: added.id, sessionId }) }
  }
  const owner = await signIn('owner')
  const analyst = await signIn('analyst')
  const tokens = { owner: owner.token, analyst: analyst.token }

  return {
    ...domain,
    app,
    clock,
    owner: owner.user,
    analyst: analyst.user,
    tokens,
    ask: ({ headers, ...options }) => {
      const token = 'token' in options ? options.token : tokens.owner
      const credential = token === undefined ? {} : { authorization: `Bearer ${token}` }
      return app.inject({ ...options, headers: { ...credential, ...headers } })
    },
    async actions() {
      return (await auditStore(domain.store.reads).list(undefined, 100)).map(({ action }) => action)
    },
  }
}

/** State for the operators' pages: no feeds, an idle process. */
async function operatorDeps(
  store: Store,
  now: () => number,
): Promise<Pick<AccountDeps, 'feeds' | 'lookUpIp' | 'backTests' | 'decisionBackTests' | 'running'>> {
  const feeds = await createFeeds({ dataDir: await temporaryDirectory(), feeds: [], log: SILENT, now })
  const { lookUp } = openIpDatabase({ asnFile: ASN_FILE })
  const warn = (message: string, error: unknown) => {
    throw new Error(message, { cause: error })
  }
  const backTests = createWeightsBackTests({ store, lookUpIp: lookUp, now, warn })
  const decisionBackTests = createDecisionBackTests({ store, now, warn })
  onTestFinished(() => backTests.close())
  onTestFinished(() => decisionBackTests.close())
  onTestFinished(() => feeds.close())
  return {
    feeds,
    lookUpIp: lookUp,
    backTests,
    decisionBackTests,
    running: {
      version: '0.0.0',
      startedAtMs: now(),
      latency: createLatencyRecord(),
      followUps: () => 0,
      sources: [],
      installation: () => Promise.resolve([]),
      diskLimits: () => [],
      storage: () => Promise.resolve({ bytes: 1_000_000, freeBytes: 10_000_000_000 }),
      retention: { days: 90, last: () => undefined },
    },
  }
}
