import type { IncomingMessage } from 'node:http'
import { AppError } from '../lib/errors.ts'

/** Where a request arrived: the path of a public URL, empty for the root, and the rest of its URL. */
export interface PublicPlace {
  base: string
  url: string
}

/** Where the surfaces of a listener are: each on the host of its public URL, at the root or below the URL's path. */
export interface PublicPlaces {
  /**
   * Takes the path of a public URL off, so that routes need not know it: with `https://shop.example/assets/i`,
   * `/assets/i/agent.js` becomes `/agent.js`, on that host only.
   */
  placeOf(request: Pick<IncomingMessage, 'url' | 'headers'>): PublicPlace
  /** The path below which the surface of a public URL is. */
  baseOf(publicUrl: string): string
  /** Which hosts its routes are for; undefined where all surfaces have one, which then any name may stand for. */
  hostOf(publicUrl: string): RegExp | undefined
  /**
   * Refuses a path that takes the requests of another surface on the same host.
   * @throws AppError `INK_CONFIG`
   */
  checkRoute(publicUrl: string, route: string): void
}

export function createPublicPlaces(publicUrls: readonly string[]): PublicPlaces {
  const isShared = new Set(publicUrls.map(hostNameOf)).size === 1
  const hostOf = (url: string) => (isShared ? undefined : hostPattern(url))
  const below = publicUrls
    .map((url) => ({ url, base: baseOf(url), host: hostOf(url) }))
    .filter(({ base }) => base !== '')
    // Longest first, because one may be below another.
    .sort((a, b) => b.base.length - a.base.length)

  return {
    placeOf({ url = '/', headers }) {
      const host = headers.host ?? headers[':authority']?.toString() ?? ''
      const found = below.find(
        ({ base, ...own }) => url.startsWith(`${base}/`) && (own.host?.test(host) ?? true),
      )
      return found ? { base: found.base, url: url.slice(found.base.length) } : { base: '', url }
    },
    baseOf,
    hostOf,
    checkRoute(publicUrl, route) {
      const own = baseOf(publicUrl)
      const path = own + route
      const taker = below.find(({ base, url }) => isSameHost(url, publicUrl) && path.startsWith(`${base}/`))
      if (taker === undefined || taker.base === own) return
      throw new AppError(
        'INK_CONFIG',
        `settings are wrong:\n  the public URL ${taker.url} takes the requests for ${path} from ${publicUrl}: give it another path or host`,
      )
    },
  }
}

const baseOf = (url: string): string => new URL(url).pathname.replace(/\/+$/, '')

const withoutDot = (hostname: string): string => hostname.replace(/\.$/, '')

function hostNameOf(url: string): string {
  const { hostname, port } = new URL(url)
  return `${withoutDot(hostname)}:${port}`
}

const isSameHost = (a: string, b: string): boolean => hostNameOf(a) === hostNameOf(b)

/**
 * What clients may send as the host of a URL (RFC 9110, section 7.2): a name in any case, with the dot of the root
 * after it, and with the port even where it is the default.
 */
function hostPattern(url: string): RegExp {
  const { protocol, hostname, port } = new URL(url)
  const ownPort = port === '' ? `(?::(?:${protocol === 'https:' ? 443 : 80})?)?` : `:${port}`
  return new RegExp(`^${RegExp.escape(withoutDot(hostname))}\\.?${ownPort}$`, 'i')
}
