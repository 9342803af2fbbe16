import { parse } from 'tldts'
import type { Channel } from './referrer-sites.ts'
import {
  ANDROID_APPS,
  META,
  OTHER_SOCIAL_DOMAINS,
  SEARCH_BRANDS,
  SEARCH_DOMAINS,
  SEARCH_HOSTS,
  SOCIAL_BRANDS,
  SOCIAL_DOMAINS,
} from './referrer-sites.ts'

export interface Referrer extends Channel {
  /** The registrable domain, or the bare host where there is none (`localhost`, an address). */
  domain: string
  reason: 'referrer_search_engine' | 'referrer_social' | 'external_referrer'
  isMeta: boolean
}

/**
 * The registrable domain, or the bare host where there is none. On shared platforms (github.io,
 * blogspot.com) each customer is a site of its own.
 */
export function siteOfHost(host: string): string {
  const lower = host.toLowerCase().replace(/\.$/, '')
  return parse(lower, { allowPrivateDomains: true }).domain ?? lower.replace(/^www\./, '')
}

/** The source of an external referrer; undefined without one, for the site itself and for invalid URLs. */
export function readReferrer(referrer: string, ownSites: readonly string[]): Referrer | undefined {
  const host = hostOf(referrer)
  if (host === undefined) return undefined
  const app = ANDROID_APPS.get(host.name)
  if (host.isApp && app === undefined) return { ...EXTERNAL, domain: host.name, isMeta: false }
  const name = app ?? host.name
  const domain = siteOfHost(name)
  if (ownSites.includes(domain)) return undefined
  return { ...channelOf(name, domain), domain }
}

const EXTERNAL = { channel: 'Referral', channelGroup: 'Referral', reason: 'external_referrer' } as const

function channelOf(host: string, domain: string): Omit<Referrer, 'domain'> {
  const { domainWithoutSuffix, subdomain } = parse(host, { allowPrivateDomains: true })
  const brand = domainWithoutSuffix ?? ''
  if (
    SEARCH_DOMAINS.has(domain) ||
    SEARCH_HOSTS.has(host) ||
    SEARCH_BRANDS.get(brand)?.test(subdomain ?? '')
  ) {
    return {
      channel: 'Organic Search',
      channelGroup: 'Organic',
      reason: 'referrer_search_engine',
      isMeta: false,
    }
  }
  const social = SOCIAL_DOMAINS.get(domain) ?? SOCIAL_BRANDS.get(brand)
  if (social) return { ...social.unpaid, reason: 'referrer_social', isMeta: social === META }
  if (OTHER_SOCIAL_DOMAINS.has(domain)) {
    return { channel: 'Referral', channelGroup: 'Social', reason: 'referrer_social', isMeta: false }
  }
  return { ...EXTERNAL, isMeta: false }
}

/** Browsers do not send longer referrers: https://www.w3.org/TR/referrer-policy/#determine-requests-referrer */
const REFERRER_MAX = 4_096

function hostOf(referrer: string): { name: string; isApp: boolean } | undefined {
  const url = URL.parse(referrer.slice(0, REFERRER_MAX).trim())
  if (!url?.hostname) return undefined
  const name = url.hostname.toLowerCase().replace(/\.$/, '')
  if (url.protocol === 'android-app:') return { name, isApp: true }
  return url.protocol === 'https:' || url.protocol === 'http:' ? { name, isApp: false } : undefined
}
