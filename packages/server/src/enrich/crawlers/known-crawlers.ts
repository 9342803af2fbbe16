import { isbot } from 'isbot'

/** How crawlers call themselves in a user agent, and the name we show. The first that fits counts. */
const CRAWLERS: [token: RegExp, name: string][] = [
  [
    /Googlebot|GoogleOther|Google-InspectionTool|AdsBot-Google|Mediapartners-Google|Storebot-Google/i,
    'GoogleBot',
  ],
  [/APIs-Google|FeedFetcher-Google|Google-Extended|Google-Read-Aloud/i, 'GoogleBot'],
  [/bingbot|adidxbot|BingPreview|msnbot/i, 'BingBot'],
  [/Yandex(?:Bot|Images|Mobile|Metrika|Webmaster|Direct|RenderResourcesBot|Accessibility)/i, 'YandexBot'],
  [/Baiduspider/i, 'BaiduSpider'],
  [/DuckDuckBot|DuckAssistBot/i, 'DuckDuckBot'],
  [/Applebot/i, 'AppleBot'],
  [/Yahoo! Slurp/i, 'YahooBot'],
  [/PetalBot/i, 'PetalBot'],
  [/Sogou (?:web|inst|pic) spider/i, 'SogouBot'],
  [/SeznamBot/i, 'SeznamBot'],
  [/\bYeti\/|NaverBot/i, 'NaverBot'],
  [/Qwantbot|Qwantify/i, 'QwantBot'],
  [/GPTBot/i, 'GPTBot'],
  [/OAI-SearchBot/i, 'OAI-SearchBot'],
  [/ChatGPT-User/i, 'ChatGPT-User'],
  [/ClaudeBot|Claude-(?:User|SearchBot)|anthropic-ai/i, 'ClaudeBot'],
  [/PerplexityBot|Perplexity-User/i, 'PerplexityBot'],
  [/CCBot/i, 'CCBot'],
  [/Bytespider/i, 'ByteSpider'],
  [/Amazonbot/i, 'AmazonBot'],
  [/facebookexternalhit|meta-external(?:agent|fetcher)|FacebookBot/i, 'FacebookBot'],
  [/Twitterbot/i, 'TwitterBot'],
  [/LinkedInBot/i, 'LinkedInBot'],
  [/Pinterestbot/i, 'PinterestBot'],
  [/Slackbot/i, 'SlackBot'],
  [/Discordbot/i, 'DiscordBot'],
  [/TelegramBot/i, 'TelegramBot'],
  [/AhrefsBot|AhrefsSiteAudit/i, 'AhrefsBot'],
  [/SemrushBot|SiteAuditBot/i, 'SemrushBot'],
  [/MJ12bot/i, 'MJ12Bot'],
  [/UptimeRobot/i, 'UptimeRobot'],
  [/Pingdom/i, 'PingdomBot'],
]

/** Crawlers name themselves early; more would only cost time. */
const READ_MAX = 512

/**
 * The crawler that a user agent claims to be. Only a claim: anybody can write it. Tools such as curl and
 * browsers without a window are no crawlers.
 */
export function crawlerName(sent: string): string | undefined {
  const userAgent = sent.slice(0, READ_MAX)
  // Knows the phones and browsers with "bot" in their names, which the patterns below do not.
  if (!isbot(userAgent)) return undefined
  const known = CRAWLERS.find(([token]) => token.test(userAgent))
  return known?.[1] ?? /[\w-]{1,40}(?:bot|crawler|spider)\b/i.exec(userAgent)?.[0]
}

/**
 * The host names of crawlers whose operators document reverse DNS as the proof, by the name of
 * `crawler-name.ts`. Only names that the crawler alone has: any customer of Google's cloud has one under
 * `googleusercontent.com` that is confirmed forwards, and `google-proxy-…` fetches what users ask for.
 */
const CRAWLER_HOSTS: Readonly<Record<string, RegExp>> = {
  GoogleBot: /\.googlebot\.com$|^rate-limited-proxy-[\d-]+\.google\.com$/,
  BingBot: /\.search\.msn\.com$/,
  YandexBot: /\.yandex\.(?:ru|net|com)$/,
  BaiduSpider: /\.baidu\.(?:com|jp)$/,
  AppleBot: /\.applebot\.apple\.com$/,
  YahooBot: /\.crawl\.yahoo\.net$/,
  PetalBot: /\.petalsearch\.com$/,
  SogouBot: /\.crawl\.sogou\.com$/,
  SeznamBot: /\.seznam\.cz$/,
  NaverBot: /\.naver\.com$/,
  AmazonBot: /\.crawl\.amazonbot\.amazon$/,
  CCBot: /\.crawl\.commoncrawl\.org$/,
  AhrefsBot: /\.ahrefs\.(?:com|net)$/,
  PinterestBot: /\.pinterest(?:crawler)?\.com$/,
}

export const crawlerHosts = (name: string): RegExp | undefined =>
  Object.hasOwn(CRAWLER_HOSTS, name) ? CRAWLER_HOSTS[name] : undefined
