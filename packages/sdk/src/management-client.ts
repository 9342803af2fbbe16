import type { DomainProfile } from '@inkling/contract'
import { InklingError } from './inkling-error.ts'
import { baseUrl, getJson, REQUEST_TIMEOUT_MS, type TransportOptions } from './request.ts'
import { realSleep, withRetry } from './retry.ts'

export interface ManagementOptions extends Omit<TransportOptions, 'now'> {
  /** Root of the host that serves the Management API, without `/v1`. */
  managementUrl: string
  /** The registered domain, such as `shop.example`: no scheme, path or leading `www.`. */
  domain: string
  /** The Secret Key of that domain, which is not the key of the History API. */
  secretKey: string
  /** Short name of the service in header names. Default `Svc`, as in `X-Svc-Domain`. */
  serviceName?: string
}

export interface ManagementClient {
  /**
   * What is left of the domain's volume (`Weight`, below 0 once it is used up), its webhook URL and its
   * masked keys.
   *
   * @throws InklingError `blocked` for ten minutes after more than 15 requests in one minute. It is never
   *   retried
   */
  profile(options?: { signal?: AbortSignal }): Promise<DomainProfile>
}

/** A domain name cannot be longer (RFC 1035, section 2.3.4). */
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
  random = Math.random,
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
        { sleep: (ms) => sleep(ms, signal), random },
      )
      if (status === 404)
        throw new InklingError('not_found', 'no Management API at this managementUrl', { status })
      if (!isProfile(json)) throw new InklingError('unexpected_response', 'not a domain profile', { status })
      return json
    },
  }
}

/** The API compares names exactly, so it would refuse another spelling with a 401. */
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
