/** A traffic channel, with its names on the wire. */
export interface Channel {
  channel: string
  channelGroup: string
}

/** An advertising platform, and the channels of its paid and unpaid visits. */
export interface Platform {
  channel: string
  unpaid: Channel
  paidGroup: 'Paid Search' | 'Paid Social'
}

const searchEngine = (channel: string): Platform => ({
  channel,
  unpaid: { channel: 'Organic Search', channelGroup: 'Organic' },
  paidGroup: 'Paid Search',
})

const socialNetwork = (channel: string): Platform => ({
  channel,
  unpaid: { channel, channelGroup: 'Social' },
  paidGroup: 'Paid Social',
})

export const GOOGLE_ADS = searchEngine('Google Ads')
export const MICROSOFT_ADS = searchEngine('Microsoft Ads')
export const META = socialNetwork('Meta')
export const TIKTOK = socialNetwork('TikTok')
const LINKEDIN = socialNetwork('LinkedIn')
const X = socialNetwork('X')
const PINTEREST = socialNetwork('Pinterest')

/** Platforms by `utm_source` in lower case, without `.com` and a trailing `ads`. */
export const UTM_PLATFORMS = new Map<string, Platform>([
  ...['google', 'adwords', 'youtube', 'gdn', 'dv360'].map((name) => [name, GOOGLE_ADS] as const),
  ...['bing', 'microsoft', 'msn', 'msads'].map((name) => [name, MICROSOFT_ADS] as const),
  ...['facebook', 'fb', 'instagram', 'ig', 'meta', 'messenger', 'threads', 'an', 'audience_network'].map(
    (name) => [name, META] as const,
  ),
  ...['tiktok', 'tt'].map((name) => [name, TIKTOK] as const),
  ...['linkedin', 'li', 'lnkd'].map((name) => [name, LINKEDIN] as const),
  ...['x', 'twitter', 't.co'].map((name) => [name, X] as const),
  ...['pinterest', 'pin'].map((name) => [name, PINTEREST] as const),
])

/** Social networks by the registrable domain of the referrer. */
export const SOCIAL_DOMAINS = new Map<string, Platform>([
  ...['facebook.com', 'fb.com', 'fb.me', 'messenger.com', 'instagram.com', 'threads.net', 'threads.com'].map(
    (domain) => [domain, META] as const,
  ),
  ['tiktok.com', TIKTOK],
  ['linkedin.com', LINKEDIN],
  ['lnkd.in', LINKEDIN],
  ['x.com', X],
  ['twitter.com', X],
  ['t.co', X],
  ['pin.it', PINTEREST],
])

/** Social networks with many top-level domains, by the part before. */
export const SOCIAL_BRANDS = new Map<string, Platform>([['pinterest', PINTEREST]])

/** Social networks without a channel of their own. */
export const OTHER_SOCIAL_DOMAINS = new Set([
  'bsky.app',
  'discord.com',
  'line.me',
  'mastodon.social',
  'ok.ru',
  'quora.com',
  'reddit.com',
  'snapchat.com',
  't.me',
  'telegram.org',
  'tumblr.com',
  'vk.com',
  'vk.ru',
  'wa.me',
  'weibo.com',
  'whatsapp.com',
  'xing.com',
  'youtu.be',
  'youtube.com',
])

/** Search engines that do nothing else, by registrable domain. */
export const SEARCH_DOMAINS = new Set([
  'ask.com',
  'baidu.com',
  'bing.com',
  'coccoc.com',
  'duckduckgo.com',
  'ecosia.org',
  'kagi.com',
  'mojeek.com',
  'petalsearch.com',
  'presearch.com',
  'qwant.com',
  'so.com',
  'sogou.com',
  'startpage.com',
  'swisscows.com',
  'ya.ru',
])

/** Search hosts of companies that have other services under the same domain. */
export const SEARCH_HOSTS = new Set([
  'm.search.naver.com',
  'search.aol.com',
  'search.brave.com',
  'search.daum.net',
  'search.naver.com',
  'search.seznam.cz',
])

/** Search engines with many top-level domains: the part before, and their search subdomains. */
export const SEARCH_BRANDS = new Map<string, RegExp>([
  ['google', /^(?:www|images|cse)?$/],
  ['yandex', /^(?:www|m)?$/],
  ['yahoo', /^(?:www|(?:[\w-]+\.)*search)?$/],
])

/** Android apps send `android-app://PACKAGE/` as referrer; these are their sites. */
export const ANDROID_APPS = new Map([
  ['com.google.android.googlequicksearchbox', 'www.google.com'],
  ['com.google.android.gm', 'mail.google.com'],
  ['com.google.android.youtube', 'www.youtube.com'],
  ['com.facebook.katana', 'www.facebook.com'],
  ['com.facebook.orca', 'www.messenger.com'],
  ['com.instagram.android', 'www.instagram.com'],
  ['com.linkedin.android', 'www.linkedin.com'],
  ['com.pinterest', 'www.pinterest.com'],
  ['com.reddit.frontpage', 'www.reddit.com'],
  ['com.twitter.android', 'x.com'],
  ['com.whatsapp', 'web.whatsapp.com'],
  ['org.telegram.messenger', 'web.telegram.org'],
])
