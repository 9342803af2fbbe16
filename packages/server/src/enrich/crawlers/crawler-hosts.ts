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
