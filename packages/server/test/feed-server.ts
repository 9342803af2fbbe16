import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline, Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { onTestFinished } from 'vitest'
import type { ParserName } from '../src/enrich/feeds/parsers/parsers.ts'

export type FeedHandler = (request: IncomingMessage, response: ServerResponse) => void

export interface FeedServer {
  url(path: string): string
  /** Publishes content at a path, replacing what was there. */
  publish(path: string, content: string | FeedHandler): void
  /** Requests so far, as `path if-none-match`. */
  requests: string[]
  close(): void
}

/** A publisher of feeds. Responds 404 without content, and 304 to conditional requests for unchanged content. */
export async function startFeedServer(): Promise<FeedServer> {
  const published = new Map<string, FeedHandler>()
  const requests: string[] = []
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    requests.push(`${path} ${request.headers['if-none-match'] ?? '-'}`)
    const handler = published.get(path)
    if (handler) handler(request, response)
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: (path) => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    publish: (path, content) =>
      void published.set(path, typeof content === 'string' ? text(content) : content),
    requests,
    close: () => void server.close().closeAllConnections(),
  }
}

/** A publisher for one test. */
export async function feedServer(): Promise<FeedServer> {
  const server = await startFeedServer()
  onTestFinished(server.close)
  return server
}

const text =
  (content: string): FeedHandler =>
  (request, response) => {
    const etag = `"${createHash('sha256').update(content).digest('hex').slice(0, 16)}"`
    if (request.headers['if-none-match'] === etag) response.writeHead(304, { etag }).end()
    else response.writeHead(200, { etag }).end(content)
  }

export const redirect =
  (location: string): FeedHandler =>
  (_request, response) =>
    void response.writeHead(302, { location }).end()

export const gzipped =
  (content: string, bytesMax = Number.POSITIVE_INFINITY): FeedHandler =>
  (_request, response) =>
    void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(content).subarray(0, bytesMax))

/** Declares more bytes than it sends, then closes the connection. */
export const cutShort =
  (content: string): FeedHandler =>
  (_request, response) => {
    response.writeHead(200, { 'content-length': content.length + 1_000 })
    response.write(content, () => response.destroy())
  }

/** Sends the first bytes and never the rest. */
export const stalled =
  (content: string): FeedHandler =>
  (_request, response) => {
    response.writeHead(200).write(content)
  }

/** Sends data until the client disconnects. */
export const endless: FeedHandler = (_request, response) => {
  response.writeHead(200)
  pipeline(Readable.from(endlessLines()), response, () => undefined)
}

function* endlessLines(): Generator<string> {
  for (;;) yield '8.8.8.8\n'.repeat(8_192)
}

interface FeedSample {
  content: string
  /** Number of entries. */
  rows: number
  /** An address on the list, and one that is not. */
  listed: string
  unlisted: string
}

/** A small valid list in every format. */
export const FEED_SAMPLES: Record<ParserName, FeedSample> = {
  lines: {
    content: '# exits\n8.8.8.8\r\n\n 9.9.9.0/24 # a network\n2606:4700::/32',
    rows: 3,
    listed: '9.9.9.200',
    unlisted: '8.8.8.9',
  },
  geofeed_csv: {
    content: '# relay\n8.8.8.0/31,US,US-CA,Los Angeles,\n2606:4700::/64,de,DE-BE,Berlin,\n9.9.9.9/32,,,,\n',
    rows: 3,
    listed: '2606:4700::1',
    unlisted: '8.8.8.2',
  },
  google_json: {
    content: JSON.stringify({
      creationTime: '2026-09-01T00:00:00.000000',
      prefixes: [{ ipv6Prefix: '2001:4860:4801:10::/64' }, { ipv4Prefix: '66.249.64.0/27\u200b' }],
    }),
    rows: 2,
    listed: '66.249.64.31',
    unlisted: '66.249.64.32',
  },
  aws_json: {
    content: JSON.stringify({
      syncToken: '1',
      prefixes: [{ ip_prefix: '3.4.12.4/32', region: 'eu-west-1', service: 'AMAZON' }],
      ipv6_prefixes: [{ ipv6_prefix: '2600:1f14::/35', region: 'us-west-2', service: 'EC2' }],
    }),
    rows: 2,
    listed: '2600:1f14:1fff::1',
    unlisted: '3.4.12.5',
  },
  oracle_json: {
    content: JSON.stringify({
      regions: [{ region: 'us-phoenix-1', cidrs: [{ cidr: '129.146.0.0/21', tags: ['OCI'] }] }],
    }),
    rows: 1,
    listed: '129.146.7.255',
    unlisted: '129.146.8.0',
  },
  azure_json: {
    content: JSON.stringify({
      values: [
        { name: 'ActionGroup', properties: { addressPrefixes: ['13.66.60.119/32'] } },
        { name: 'AzureCloud', properties: { addressPrefixes: ['20.33.0.0/16', '2603:1000::/40'] } },
      ],
    }),
    rows: 2,
    listed: '20.33.1.1',
    unlisted: '13.66.60.119',
  },
  mullvad_json: {
    content: JSON.stringify([
      { hostname: 'al-tia-wg-001', ipv4_addr_in: '103.216.220.18', ipv6_addr_in: '2a04:27c0:0:c::f001' },
      { hostname: 'at-vie-br-001', ipv4_addr_in: '146.70.116.194', ipv6_addr_in: null },
    ]),
    rows: 3,
    listed: '2a04:27c0:0:c::f001',
    unlisted: '103.216.220.19',
  },
  ivpn_json: {
    content: JSON.stringify({
      wireguard: [{ gateway: 'at.wg', hosts: [{ host: '185.244.212.69', local_ip: '172.16.0.1/12' }] }],
      openvpn: [{ gateway: 'at.gw', ip_addresses: ['185.244.212.66'] }],
    }),
    rows: 2,
    listed: '185.244.212.69',
    unlisted: '172.16.0.1',
  },
  pia_json: {
    content: `${JSON.stringify({
      groups: { wg: [{ name: 'wireguard', ports: [1337] }] },
      regions: [{ id: 'swiss', servers: { wg: [{ ip: '212.102.37.1', cn: 'zurich404' }], meta: [] } }],
    })}\n\nc2lnbmF0dXJl\n`,
    rows: 1,
    listed: '212.102.37.1',
    unlisted: '212.102.37.2',
  },
  ipsum: {
    content: '# IPsum\n# (address count)\n185.220.101.1\t9\n185.220.101.2\t3\n185.220.101.3\t2\n',
    rows: 2,
    listed: '185.220.101.2',
    unlisted: '185.220.101.3',
  },
  spamhaus_drop: {
    content: [
      { cidr: '1.10.16.0/20', sblid: 'SBL256894', rir: 'apnic' },
      { cidr: '2.56.192.0/22', sblid: 'SBL459831', rir: 'ripencc' },
      { type: 'metadata', timestamp: 1_780_000_000, size: 100, records: 2, copyright: '(c) # 2026' },
    ]
      .map((line) => `${JSON.stringify(line)}\n`)
      .join(''),
    rows: 2,
    listed: '1.10.31.255',
    unlisted: '1.10.32.0',
  },
}
