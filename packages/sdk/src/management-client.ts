import type { DomainProfile } from '@inkling/contract'
import { REQUEST_TIMEOUT_MS, type TransportOptions } from './client.ts'
import { baseUrl } from './http/base-url.ts'
import { getJson } from './http/get-json.ts'
import { withRetry } from './http/retry.ts'
import { realSleep } from './http/sleep.ts'
import { InklingError } from './inkling-error.ts'

export interface ManagementOptions extends Omit<TransportOptions, 'now'> {
  /** Host root of the Management API, without `/v1`. */
  managementUrl: string
  /** The registered domain, such as `shop.example`: no scheme, path or leading `www.`. */
  domain: string
  /** The Secret Key of that domain. It is another one than the History API's key. */
  secretKey: string
  /** Short name of the service in header names. Default `Svc`, as in `X-Svc-Domain`. */
  serviceName?: string
}

export interface ManagementClient {
  /**
   * The domain as the service knows it: what is left of the included volume (`Weight`, negative when over
   * it), the webhook URL and the masked keys.
   *
   * @throws InklingError `blocked` after more than 15 requests in a minute; it lasts ten minutes, so it is
   *   never retried
   */
  profile(options?: { signal?: AbortSignal }): Promise<DomainProfile>
}

/** The header's limit; a longer name cannot be a registered domain. */
const DOMAIN_LENGTH_MAX = 253

/**
 * A client of the Management API.
 *
 * @example
 * const { profile } = createManagementClient({ managementUrl, domain: 'shop.example', secretKey })
 * if ((await profile()).Weight < 1_000) notifyTheOperator()
 */
export function createManagementClient({
  managementUrl,
  domain,
  secretKey,
  serviceName = 'Svc',
  retry = {},
  requestTimeoutMs = REQUEST_TIMEOUT_MS,
  fetch = globalThis.fetch,
  sleep = realSleep,
}: ManagementOptions): ManagementClient {
  const base = baseUrl('managementUrl', managementUrl)
  if (!secretKey) throw new InklingError('invalid_argument', 'secretKey is missing')
  const headers = { authorization: `Bearer ${secretKey}`, [`x-${serviceName}-domain`]: registered(domain) }

  return {
    async profile({ signal } = {}) {
      const { status, json } = await withRetry(
        () =>
          getJson({
            api: 'Management',
            url: `${base}/v1/profile`,
            headers,
            fetch,
            timeoutMs: requestTimeoutMs,
            signal,
          }),
        retry,
        (ms) => sleep(ms, signal),
      )
      if (status === 404)
        throw new InklingError('not_found', 'no Management API at this managementUrl', { status })
      if (!isProfile(json)) throw new InklingError('unexpected_response', 'not a domain profile', { status })
      return json
    },
  }
}

/** The API compares the name exactly and answers 401 for any other spelling. */
function registered(domain: string): string {
  const name = domain.toLowerCase()
  const usable = /^[a-z0-9._-]+$/.test(name) && name.length <= DOMAIN_LENGTH_MAX && !name.startsWith('www.')
  if (usable) return name
  throw new InklingError('invalid_argument', 'domain must be a registered domain such as shop.example')
}

function isProfile(json: unknown): json is DomainProfile {
  return (
    typeof json === 'object' &&
    json !== null &&
    'Domain' in json &&
    typeof json.Domain === 'string' &&
    'Weight' in json &&
    typeof json.Weight === 'number'
  )
}
