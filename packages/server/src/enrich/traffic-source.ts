import { readReferrer, siteOfHost } from './referrer.ts'
import type { Channel, Platform } from './referrer-sites.ts'
import { GOOGLE_ADS, META, MICROSOFT_ADS, TIKTOK, UTM_PLATFORMS } from './referrer-sites.ts'

/** How the visitor came to the page. Unknown fields are empty. */
export interface TrafficSource {
  channel: string
  channelGroup: string
  reason: string
  /** Registrable domain of an external referrer, or the crawler's name. */
  referrerDomain: string
  /** The page as it was opened, without `#fragment`. */
  landingUrl: string
  clickIdType: string
  /** In lower case, like `utmMedium`. */
  utmSource: string
  utmMedium: string
  utmCampaign: string
  utmContent: string
  utmTerm: string
}

export interface Arrival {
  landingUrl: string
  referrer: string
  /** The domain of the public key. */
  siteDomain: string
  /** Name of a verified crawler. */
  crawlerName?: string | undefined
}

const READ_MAX = 16_384
const LANDING_URL_MAX = 2_048
const UTM_MAX = 256

/** By precedence, if a URL has several. */
const CLICK_IDS: [type: string, platform: Platform, reason: string][] = [
  ['gclid', GOOGLE_ADS, 'gclid_present'],
  ['gbraid', GOOGLE_ADS, 'gclid_present'],
  ['wbraid', GOOGLE_ADS, 'gclid_present'],
  ['msclkid', MICROSOFT_ADS, 'msclkid_present'],
  ['ttclid', TIKTOK, 'ttclid_present'],
  ['fbclid', META, 'fbclid_present'],
]

/** By precedence: verified crawler, click ID, UTM parameters, referrer, direct. Never throws. */
export function trafficSource({ landingUrl, referrer, siteDomain, crawlerName }: Arrival): TrafficSource {
  const landing = readLanding(landingUrl)
  const parameter = (name: string) => cut(landing?.url.searchParams.get(name) ?? '', UTM_MAX)
  const utm = {
    utmSource: parameter('utm_source').toLowerCase(),
    utmMedium: parameter('utm_medium').toLowerCase(),
    utmCampaign: parameter('utm_campaign'),
    utmContent: parameter('utm_content'),
    utmTerm: parameter('utm_term'),
  }
  const ownSites = [siteOfHost(siteDomain), siteOfHost(landing?.url.hostname ?? siteDomain)]
  const from = readReferrer(referrer, ownSites)
  const sender = utmPlatform(utm.utmSource)

  // Meta's apps add fbclid to every link, and people share such links, so it does not count alone.
  const fromMeta = from?.isMeta === true || sender?.platform === META
  const click = CLICK_IDS.find(([type]) => parameter(type) !== '' && (type !== 'fbclid' || fromMeta))

  const known = {
    landingUrl: landing?.text ?? '',
    clickIdType: click?.[0] ?? '',
    referrerDomain: from?.domain ?? '',
    ...utm,
  }
  if (crawlerName) {
    const bot = { channel: 'Search bot', channelGroup: 'Bot', reason: 'ip_crawler_detected' }
    return { ...known, ...bot, referrerDomain: crawlerName }
  }
  if (click) {
    const [, platform, reason] = click
    return { ...known, channel: platform.channel, channelGroup: platform.paidGroup, reason }
  }
  if (utm.utmSource || utm.utmMedium || utm.utmCampaign) {
    return { ...known, ...utmChannel(sender, utm.utmMedium), reason: 'utm_match' }
  }
  if (from) {
    return { ...known, channel: from.channel, channelGroup: from.channelGroup, reason: from.reason }
  }
  return { ...known, channel: 'Direct', channelGroup: 'Direct', reason: 'no_source_detected' }
}

/** Without control characters, which some databases reject, and without half a surrogate pair at the end. */
const cut = (text: string, length: number): string =>
  text
    .replace(/\p{Cc}/gu, '')
    .trim()
    .slice(0, length)
    .toWellFormed()

/** The landing page; undefined if it is not an HTTP URL. Parameters are read beyond the part that is stored. */
function readLanding(landingUrl: string): { url: URL; text: string } | undefined {
  const page = landingUrl.slice(0, READ_MAX).split('#', 1)[0] ?? ''
  const url = URL.parse(page)
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') return undefined
  return { url, text: cut(page, LANDING_URL_MAX) }
}

interface Sender {
  platform: Platform | undefined
  /** Whether the source itself means ads, such as `google_ads`. */
  isAd: boolean
}

/** People write `utm_source` by hand: `facebook`, `FB`, `facebook.com`, `google_ads`. */
function utmPlatform(source: string): Sender | undefined {
  if (source === '') return undefined
  const plain = source.replace(/^(?:www|m|l|lm)\./, '').replace(/\.com$/, '')
  const platform = UTM_PLATFORMS.get(plain)
  if (platform) return { platform, isAd: false }
  const advertiser = UTM_PLATFORMS.get(plain.replace(/[-_ ]?ads$/, ''))
  return { platform: advertiser, isAd: advertiser !== undefined }
}

const PAID_SEARCH = /^(?:cpc|ppc|sem|paid|paid[-_ ]?search|search[-_ ]?ads?)$/
const PAID_SOCIAL = /^(?:paid[-_ ]?social|social[-_ ]?(?:paid|ads?)|cpc[-_ ]?social)$/
const PAID_OTHER =
  /^(?:cpm|cpv|cpa|cpi|ads?|display|banner|video[-_ ]?ads?|retargeting|remarketing|paid[-_ ]?\w+)$/
const SOCIAL = /^(?:social|social[-_ ]?(?:media|network|post)|sm)$/
const REFERRAL = /^(?:referral|affiliate|affiliates|partner|link)$/

function utmChannel(sender: Sender | undefined, medium: string): Channel {
  const platform = sender?.platform
  const isPaid =
    sender?.isAd || PAID_SEARCH.test(medium) || PAID_SOCIAL.test(medium) || PAID_OTHER.test(medium)
  if (platform && isPaid) return { channel: platform.channel, channelGroup: platform.paidGroup }
  if (platform?.paidGroup === 'Paid Social') return platform.unpaid
  if (medium === 'organic') return { channel: 'Organic Search', channelGroup: 'Organic' }
  if (PAID_SEARCH.test(medium)) return { channel: 'Other', channelGroup: 'Paid Search' }
  if (PAID_SOCIAL.test(medium)) return { channel: 'Other', channelGroup: 'Paid Social' }
  if (SOCIAL.test(medium)) return { channel: 'Other', channelGroup: 'Social' }
  if (REFERRAL.test(medium)) return { channel: 'Referral', channelGroup: 'Referral' }
  return { channel: 'Other', channelGroup: 'Other' }
}
