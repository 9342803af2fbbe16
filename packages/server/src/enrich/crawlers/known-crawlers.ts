import { isbot } from 'isbot'

interface Crawler {
  name: string
  /** What its user agents contain. */
  token: RegExp
  /**
   * Host names of its addresses, where the operator documents reverse DNS as the proof. Only names that nobody else
   * can get: every Google Cloud customer has one under `googleusercontent.com` that resolves back to the address,
   * and `google-proxy-…` fetches pages that any user may request.
   */
  hosts?: RegExp
}

/** The first match counts. To add a crawler, add a row; if it publishes its ranges, add them to `public-feeds.ts`. */
const CRAWLERS: readonly Crawler[] = [
  {
    name: 'GoogleBot',
    token:
      /Googlebot|GoogleOther|Google-InspectionTool|AdsBot-Google|Mediapartners-Google|Storebot-Google|APIs-Google|FeedFetcher-Google|Google-Extended|Google-Read-Aloud/i,
    hosts: /\.googlebot\.com$|^rate-limited-proxy-[\d-]+\.google\.com$/,
  },
  { name: 'BingBot', token: /bingbot|adidxbot|BingPreview|msnbot/i, hosts: /\.search\.msn\.com$/ },
  {
    name: 'YandexBot',
    token: /Yandex(?:Bot|Images|Mobile|Metrika|Webmaster|Direct|RenderResourcesBot|Accessibility)/i,
    hosts: /\.yandex\.(?:ru|net|com)$/,
  },
  { name: 'BaiduSpider', token: /Baiduspider/i, hosts: /\.baidu\.(?:com|jp)$/ },
  { name: 'DuckDuckBot', token: /DuckDuckBot|DuckAssistBot/i },
  { name: 'AppleBot', token: /Applebot/i, hosts: /\.applebot\.apple\.com$/ },
  { name: 'YahooBot', token: /Yahoo! Slurp/i, hosts: /\.crawl\.yahoo\.net$/ },
  { name: 'PetalBot', token: /PetalBot/i, hosts: /\.petalsearch\.com$/ },
  { name: 'SogouBot', token: /Sogou (?:web|inst|pic) spider/i, hosts: /\.crawl\.sogou\.com$/ },
  { name: 'SeznamBot', token: /SeznamBot/i, hosts: /\.seznam\.cz$/ },
  { name: 'NaverBot', token: /\bYeti\/|NaverBot/i, hosts: /\.naver\.com$/ },
  { name: 'QwantBot', token: /Qwantbot|Qwantify/i },
  { name: 'GPTBot', token: /GPTBot/i },
  { name: 'OAI-SearchBot', token: /OAI-SearchBot/i },
  { name: 'ChatGPT-User', token: /ChatGPT-User/i },
  { name: 'ClaudeBot', token: /ClaudeBot|Claude-(?:User|SearchBot)|anthropic-ai/i },
  { name: 'PerplexityBot', token: /PerplexityBot|Perplexity-User/i },
  { name: 'CCBot', token: /CCBot/i, hosts: /\.crawl\.commoncrawl\.org$/ },
  { name: 'ByteSpider', token: /Bytespider/i },
  { name: 'AmazonBot', token: /Amazonbot/i, hosts: /\.crawl\.amazonbot\.amazon$/ },
  { name: 'FacebookBot', token: /facebookexternalhit|meta-external(?:agent|fetcher)|FacebookBot/i },
  { name: 'TwitterBot', token: /Twitterbot/i },
  { name: 'LinkedInBot', token: /LinkedInBot/i },
  { name: 'PinterestBot', token: /Pinterestbot/i, hosts: /\.pinterest(?:crawler)?\.com$/ },
  { name: 'SlackBot', token: /Slackbot/i },
  { name: 'DiscordBot', token: /Discordbot/i },
  { name: 'TelegramBot', token: /TelegramBot/i },
  { name: 'AhrefsBot', token: /AhrefsBot|AhrefsSiteAudit/i, hosts: /\.ahrefs\.(?:com|net)$/ },
  { name: 'SemrushBot', token: /SemrushBot|SiteAuditBot/i },
  { name: 'MJ12Bot', token: /MJ12bot/i },
  { name: 'UptimeRobot', token: /UptimeRobot/i },
  { name: 'PingdomBot', token: /Pingdom/i },
]

/** Crawlers put their name near the start; matching more text would only take time. */
const MATCHED_MAX = 512

/**
 * The crawler that a user agent claims to be; anyone can write such a user agent. Tools such as curl and headless
 * browsers are not crawlers.
 */
export function crawlerName(sent: string): string | undefined {
  const userAgent = sent.slice(0, MATCHED_MAX)
  // `isbot` knows the phones and browsers with "bot" in their names, which the patterns here do not.
  if (!isbot(userAgent)) return undefined
  const known = CRAWLERS.find(({ token }) => token.test(userAgent))
  return known?.name ?? /[\w-]{1,40}(?:bot|crawler|spider)\b/i.exec(userAgent)?.[0]
}

const hostsByName = new Map(CRAWLERS.map(({ name, hosts }) => [name, hosts]))

/** The host names that prove a crawler; undefined when it has no such names. */
export const crawlerHosts = (name: string): RegExp | undefined => hostsByName.get(name)
