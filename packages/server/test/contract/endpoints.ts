import { readConfig } from '../../src/composition/config.ts'
import type { AttemptDeps } from '../../src/deliver/attempt.ts'
import { type PingResult, ping } from '../../src/deliver/ping.ts'
import { createSafeFetch } from '../../src/deliver/safe-fetch.ts'
import { addEndpoint } from '../../src/deliver/webhook-endpoints.ts'
import { type EndpointRow, endpointStore } from '../../src/store/domains/domains.ts'
import type { TestServer } from '../running-server.ts'
import { operate } from './operator.ts'

type Target = Pick<TestServer, 'store' | 'box' | 'keys'>

/** `inkling webhook add`. */
export const addWebhook = (target: Target, url: string): Promise<{ id: number; secret: string }> =>
  operate(target, async ({ store, box, domainId }) => {
    const { row, secret } = await addEndpoint(store, box, domainId, url, Date.now())
    return { id: row.id, secret }
  })

/** `inkling webhook list`. */
export const listWebhooks = (target: Target): Promise<EndpointRow[]> =>
  operate(target, ({ store, domainId }) => endpointStore(store.reads).list(domainId))

/** `inkling webhook set --enabled`. */
export const switchWebhook = (target: Target, id: number, enabled: boolean): Promise<unknown> =>
  operate(target, ({ store, domainId }) =>
    store.writes
      .transaction()
      .execute((transaction) =>
        endpointStore(transaction).change(domainId, id, { enabled: enabled ? 1 : 0 }),
      ),
  )

/** `inkling webhook ping`. */
export const pingWebhook = (
  target: Target,
  id: number,
  given: Partial<Omit<AttemptDeps, 'fetch'>> = {},
): Promise<PingResult> =>
  operate(target, async ({ store, box, domainId }) => {
    const endpoint = await endpointStore(store.reads).find(domainId, id)
    if (!endpoint) throw new Error(`no endpoint ${id}`)
    const fetch = createSafeFetch({ allowPrivate: true })
    try {
      const { SERVICE_NAME: serviceName, WEBHOOK_STANDARD_HEADERS: standardHeaders } = readConfig({})
      const deps = { serviceName, standardHeaders, now: Date.now, ...given, fetch }
      return await ping(store, box, endpoint, deps)
    } finally {
      await fetch.close()
    }
  })
