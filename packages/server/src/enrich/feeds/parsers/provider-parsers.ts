import { z } from 'zod'
import { type Entry, MalformedFeed, readJson } from './feed-parser.ts'

const GOOGLE_RANGES = z.object({
  prefixes: z.array(z.union([z.object({ ipv4Prefix: z.string() }), z.object({ ipv6Prefix: z.string() })])),
})

/** `{prefixes: [{ipv4Prefix} or {ipv6Prefix}]}`, the format of Google and of nearly all crawlers. */
export function* parseGoogleJson(text: string): Generator<Entry> {
  for (const prefix of readJson(text, GOOGLE_RANGES).prefixes)
    yield { range: trim('ipv4Prefix' in prefix ? prefix.ipv4Prefix : prefix.ipv6Prefix) }
}

/** Bing's file has contained zero-width spaces. */
const trim = (range: string): string => range.replaceAll('\u200b', '').trim()

const AWS_RANGES = z.object({
  prefixes: z.array(z.object({ ip_prefix: z.string() })),
  ipv6_prefixes: z.array(z.object({ ipv6_prefix: z.string() })),
})

/** Amazon's `ip-ranges.json`. */
export function* parseAwsJson(text: string): Generator<Entry> {
  const { prefixes, ipv6_prefixes } = readJson(text, AWS_RANGES)
  for (const { ip_prefix } of prefixes) yield { range: ip_prefix }
  for (const { ipv6_prefix } of ipv6_prefixes) yield { range: ipv6_prefix }
}

const AZURE_TAGS = z.object({
  values: z.array(
    z.object({ name: z.string(), properties: z.object({ addressPrefixes: z.array(z.string()) }) }),
  ),
})

/** The tag with all public addresses of the data centres. Other tags are services, some of them elsewhere. */
const AZURE_TAG = 'AzureCloud'

/** Microsoft's `ServiceTags_Public_*.json`, whose URL changes every week. */
export function* parseAzureJson(text: string): Generator<Entry> {
  const tag = readJson(text, AZURE_TAGS).values.find(({ name }) => name === AZURE_TAG)
  if (!tag) throw new MalformedFeed(`has no tag ${AZURE_TAG}`)
  for (const range of tag.properties.addressPrefixes) yield { range }
}

const ORACLE_RANGES = z.object({
  regions: z.array(z.object({ cidrs: z.array(z.object({ cidr: z.string() })) })),
})

/** Oracle's `public_ip_ranges.json`. */
export function* parseOracleJson(text: string): Generator<Entry> {
  for (const { cidrs } of readJson(text, ORACLE_RANGES).regions)
    for (const { cidr } of cidrs) yield { range: cidr }
}

const MULLVAD_RELAYS = z.array(z.object({ ipv4_addr_in: z.string(), ipv6_addr_in: z.string().nullish() }))

/** Mullvad's relays. */
export function* parseMullvadJson(text: string): Generator<Entry> {
  for (const { ipv4_addr_in, ipv6_addr_in } of readJson(text, MULLVAD_RELAYS)) {
    yield { range: ipv4_addr_in }
    if (ipv6_addr_in) yield { range: ipv6_addr_in }
  }
}

const IVPN_SERVERS = z.array(
  z.object({
    hosts: z.array(z.object({ host: z.string() })).optional(),
    ip_addresses: z.array(z.string()).optional(),
  }),
)
const IVPN_LIST = z.object({ wireguard: IVPN_SERVERS, openvpn: IVPN_SERVERS })

/** IVPN's servers: WireGuard's as hosts, OpenVPN's as addresses. */
export function* parseIvpnJson(text: string): Generator<Entry> {
  const { wireguard, openvpn } = readJson(text, IVPN_LIST)
  for (const { hosts, ip_addresses } of [...wireguard, ...openvpn]) {
    for (const { host } of hosts ?? []) yield { range: host }
    for (const range of ip_addresses ?? []) yield { range }
  }
}

const PIA_LIST = z.object({
  regions: z.array(z.object({ servers: z.record(z.string(), z.array(z.object({ ip: z.string() }))) })),
})

/** Private Internet Access's servers. The first line is the document, the rest its signature. */
export function* parsePiaJson(text: string): Generator<Entry> {
  const [document = ''] = text.split('\n', 1)
  for (const { servers } of readJson(document, PIA_LIST).regions)
    for (const group of Object.values(servers)) for (const { ip } of group) yield { range: ip }
}
