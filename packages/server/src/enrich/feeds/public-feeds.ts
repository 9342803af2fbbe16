import { DAY_MS, HOUR_MS } from '../../lib/durations.ts'
import type { Feed, FeedKind } from './feed.ts'
import type { ParserName } from './parsers/parsers.ts'

const MEGABYTE = 1_000_000

const TERMS = {
  tor: 'The Tor Project, public',
  apple: 'Apple, published so that relays can be recognised',
  x4bnet: 'X4BNet/lists_vpn, MIT licence',
  provider: "the provider's own list of its servers",
  cloud: "the cloud's own list of its addresses",
  spamhaus: '(c) The Spamhaus Project, DROP: free of charge; at most one download an hour',
  ipsum: 'stamparm/ipsum, Unlicense',
  crawler: "the crawler's own list of its addresses",
  agent: "the operator's own list of its agent's addresses",
}

interface Row {
  url: string
  parser: ParserName
  terms: keyof typeof TERMS
  /** Expected number of entries: from about a third to three times the number when the feed was added. */
  rows: [least: number, most: number]
  cadenceMs?: number
  megabytes?: number
}

const feedOf = (kind: FeedKind, id: string, row: Row, crawler?: string): Feed => ({
  id,
  url: `https://${row.url}`,
  parser: row.parser,
  kind,
  crawler,
  cadenceMs: row.cadenceMs ?? DAY_MS,
  minRows: row.rows[0],
  maxRows: row.rows[1],
  maxBytes: (row.megabytes ?? 4) * MEGABYTE,
  terms: TERMS[row.terms],
})

const agentFeed = (id: string, agent: string, url: string, rows: [number, number]): Feed =>
  feedOf('agent', id, { url, parser: 'google_json', terms: 'agent', rows }, agent)

const crawlerFeed = (id: string, crawler: string, url: string, rows: [number, number]): Feed =>
  feedOf('crawler', id, { url, parser: 'google_json', terms: 'crawler', rows }, crawler)

const X4BNET = 'raw.githubusercontent.com/X4BNet/lists_vpn/main/output'
const GOOGLE = 'developers.google.com/static/crawling/ipranges'

/**
 * The default lists. Every installation fetches them from their publishers and does not pass them on. Left out are
 * lists whose licence restricts sharing or commercial use (FireHOL, DShield, StopForumSpam), Azure's (its URL changes
 * every week) and Vultr's (it contains reserved blocks, and X4BNet has nearly all of it). Agents that fetch pages at
 * the request of users are a kind of their own: anyone can be such a user, so they are no crawlers.
 */
export const PUBLIC_FEEDS: readonly Feed[] = [
  feedOf('tor', 'tor_exits', {
    url: 'check.torproject.org/torbulkexitlist',
    parser: 'lines',
    terms: 'tor',
    rows: [300, 10_000],
    cadenceMs: 6 * HOUR_MS,
  }),
  feedOf('privacy_relay', 'apple_relay', {
    url: 'mask-api.icloud.com/egress-ip-ranges.csv',
    parser: 'geofeed_csv',
    terms: 'apple',
    rows: [90_000, 1_000_000],
    megabytes: 60,
  }),

  feedOf('vpn', 'x4bnet_vpn_ipv4', {
    url: `${X4BNET}/vpn/ipv4.txt`,
    parser: 'lines',
    terms: 'x4bnet',
    rows: [3_000, 40_000],
  }),
  feedOf('vpn', 'x4bnet_vpn_ipv6', {
    url: `${X4BNET}/vpn/ipv6.txt`,
    parser: 'lines',
    terms: 'x4bnet',
    rows: [100, 10_000],
  }),
  feedOf('vpn', 'mullvad', {
    url: 'api.mullvad.net/www/relays/all/',
    parser: 'mullvad_json',
    terms: 'provider',
    rows: [200, 10_000],
  }),
  feedOf('vpn', 'ivpn', {
    url: 'api.ivpn.net/v4/servers.json',
    parser: 'ivpn_json',
    terms: 'provider',
    rows: [50, 5_000],
  }),
  feedOf('vpn', 'pia', {
    url: 'serverlist.piaservers.net/vpninfo/servers/v7',
    parser: 'pia_json',
    terms: 'provider',
    rows: [100, 50_000],
  }),

  feedOf('hosting', 'x4bnet_hosting_ipv4', {
    url: `${X4BNET}/datacenter/ipv4.txt`,
    parser: 'lines',
    terms: 'x4bnet',
    rows: [14_000, 150_000],
  }),
  feedOf('hosting', 'x4bnet_hosting_ipv6', {
    url: `${X4BNET}/datacenter/ipv6.txt`,
    parser: 'lines',
    terms: 'x4bnet',
    rows: [2_500, 50_000],
  }),
  feedOf('hosting', 'aws', {
    url: 'ip-ranges.amazonaws.com/ip-ranges.json',
    parser: 'aws_json',
    terms: 'cloud',
    rows: [3_000, 50_000],
    megabytes: 20,
  }),
  feedOf('hosting', 'google_cloud', {
    url: 'www.gstatic.com/ipranges/cloud.json',
    parser: 'google_json',
    terms: 'cloud',
    rows: [250, 10_000],
  }),
  feedOf('hosting', 'oracle_cloud', {
    url: 'docs.oracle.com/en-us/iaas/tools/public_ip_ranges.json',
    parser: 'oracle_json',
    terms: 'cloud',
    rows: [350, 10_000],
    cadenceMs: 7 * DAY_MS,
  }),
  feedOf('hosting', 'digitalocean', {
    url: 'digitalocean.com/geo/google.csv',
    parser: 'geofeed_csv',
    terms: 'cloud',
    rows: [350, 10_000],
    cadenceMs: 7 * DAY_MS,
  }),
  feedOf('hosting', 'linode', {
    url: 'geoip.linode.com/',
    parser: 'geofeed_csv',
    terms: 'cloud',
    rows: [1_500, 50_000],
    cadenceMs: 7 * DAY_MS,
  }),

  feedOf('abuser', 'spamhaus_drop_ipv4', {
    url: 'www.spamhaus.org/drop/drop_v4.json',
    parser: 'spamhaus_drop',
    terms: 'spamhaus',
    rows: [500, 6_000],
  }),
  feedOf('abuser', 'spamhaus_drop_ipv6', {
    url: 'www.spamhaus.org/drop/drop_v6.json',
    parser: 'spamhaus_drop',
    terms: 'spamhaus',
    rows: [30, 1_000],
  }),
  feedOf('abuser', 'ipsum', {
    url: 'raw.githubusercontent.com/stamparm/ipsum/master/ipsum.txt',
    parser: 'ipsum',
    terms: 'ipsum',
    rows: [3_000, 60_000],
    megabytes: 10,
  }),

  crawlerFeed('googlebot', 'GoogleBot', `${GOOGLE}/common-crawlers.json`, [100, 2_000]),
  crawlerFeed('google_special', 'GoogleBot', `${GOOGLE}/special-crawlers.json`, [20, 2_000]),
  crawlerFeed('bingbot', 'BingBot', 'www.bing.com/toolbox/bingbot.json', [8, 200]),
  crawlerFeed('applebot', 'AppleBot', 'search.developer.apple.com/applebot.json', [6, 200]),
  crawlerFeed('duckduckbot', 'DuckDuckBot', 'duckduckgo.com/duckduckbot.json', [100, 3_000]),
  crawlerFeed('gptbot', 'GPTBot', 'openai.com/gptbot.json', [3, 1_000]),
  crawlerFeed('oai_searchbot', 'OAI-SearchBot', 'openai.com/searchbot.json', [3, 1_000]),
  crawlerFeed('perplexitybot', 'PerplexityBot', 'www.perplexity.ai/perplexitybot.json', [2, 500]),
  crawlerFeed('ccbot', 'CCBot', 'index.commoncrawl.org/ccbot.json', [2, 200]),

  agentFeed('chatgpt_user', 'ChatGPT-User', 'openai.com/chatgpt-user.json', [10, 2_000]),
  agentFeed('perplexity_user', 'Perplexity-User', 'www.perplexity.ai/perplexity-user.json', [1, 500]),
  agentFeed('google_agent', 'Google-Agent', `${GOOGLE}/user-triggered-agents.json`, [1, 2_000]),
]
