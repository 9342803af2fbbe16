import { LRUCache } from 'lru-cache'
import { formatAddress, parseAddress } from '../lib/address.ts'
import type { NetworkEvidence } from '../visit/network-evidence.ts'
import type { ClientFacts } from './client-facts.ts'

type Browser = Pick<ClientFacts, 'engine' | 'browserMajor'>

/**
 * By which TLS and HTTP/2 the browsers of this installation's proven visits come, so that a version newer than the shipped
 * tables is not unfamiliar. In memory: it is learned again after a restart, and until then nothing is usual.
 */
export interface UsualClients {
  /**
   * Only of visits with a valid ticket and a key.
   * @param kind as of `kindOf` or `http2KindOf`
   */
  learn(client: Browser, kind: string | undefined, address: string): void
  /** Whether many independent visits of the same browser came by such a kind; undefined where too few are known. */
  isUsual(client: Browser, kind: string | undefined): true | undefined
}

/** Networks that must have shown it: more than one person or office has. */
const NETWORKS_MIN = 20
const BROWSERS_MAX = 100
const KINDS_MAX = 32

export function createUsualClients(): UsualClients {
  /** By browser, then by kind: the networks that it came from. */
  const browsers = new LRUCache<string, LRUCache<string, Set<string>>>({ max: BROWSERS_MAX })

  return {
    learn(client, kind, address) {
      const network = siteNetworkOf(address)
      if (kind === undefined || network === undefined || client.engine === '') return
      const key = browserOf(client)
      const kinds = browsers.get(key) ?? new LRUCache<string, Set<string>>({ max: KINDS_MAX })
      browsers.set(key, kinds)
      const networks = kinds.get(kind) ?? new Set()
      kinds.set(kind, networks)
      if (networks.size < NETWORKS_MIN) networks.add(network)
    },
    isUsual(client, kind) {
      const networks = kind === undefined ? undefined : browsers.get(browserOf(client))?.get(kind)
      return networks && networks.size >= NETWORKS_MIN ? true : undefined
    },
  }
}

const browserOf = ({ engine, browserMajor }: Browser): string => `${engine} ${browserMajor}`

/** TLS version and ciphers of the JA4: what a browser's connections have in common, resumed ones too. */
export function kindOf(tls: NetworkEvidence['tls']): string | undefined {
  if (!tls.available) return undefined
  const [head = '', ciphers = ''] = tls.value.ja4.split('_')
  return `${head.slice(0, 3)} ${ciphers}`
}

/** Names of the settings, window and order of an HTTP/2 connection. The values change with the system and its memory. */
export function http2KindOf(http2: NetworkEvidence['http2']): string | undefined {
  if (!http2.available) return undefined
  const [settings = '', window = '', , order = ''] = http2.value.fingerprint.split('|')
  return `http2 ${settings.replace(/:\d+/g, '')} ${window} ${order}`
}

/** A /24 of IPv4, a /48 of IPv6. */
export function siteNetworkOf(text: string): string | undefined {
  const address = parseAddress(text)
  if (!address) return undefined
  if (address.family === 4) return text.split('.', 3).join('.')
  const [first, second] = address.words
  return formatAddress({ family: 6, words: [first, (second & 0xffff_0000) >>> 0, 0, 0] })
}
