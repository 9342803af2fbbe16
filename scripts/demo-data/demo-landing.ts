import type { Chance } from '../../bench/identity/population/chance.ts'
import type { PlannedVisit } from './planned-visit.ts'

type Landing = PlannedVisit['landing']

const PAGES = ['/', '/', '/login', '/pricing', '/sale', '/sale?colour=blue', '/account', '/checkout']
const DIRECT = { query: '', referrer: '' }
/** Traffic sources of real visitors and of click fraud. */
const SOURCES = [
  [DIRECT, 0.36],
  [{ query: '', referrer: 'https://www.google.com/' }, 0.2],
  [{ query: '', referrer: 'https://www.bing.com/' }, 0.04],
  [{ query: '', referrer: 'https://duckduckgo.com/' }, 0.02],
  [{ query: 'gclid=Cj0KCQiA&utm_campaign=autumn', referrer: 'https://www.google.com/' }, 0.11],
  [{ query: 'msclkid=8d1f&utm_campaign=autumn', referrer: 'https://www.bing.com/' }, 0.02],
  [{ query: 'utm_source=newsletter&utm_medium=email&utm_campaign=week-46', referrer: '' }, 0.08],
  [{ query: 'utm_source=facebook&utm_medium=paid_social&utm_campaign=lookalike', referrer: '' }, 0.05],
  [{ query: '', referrer: 'https://l.instagram.com/' }, 0.04],
  [{ query: '', referrer: 'https://www.reddit.com/r/deals' }, 0.02],
  [{ query: '', referrer: 'https://blog.partner.example/best-shops' }, 0.03],
  [{ query: 'utm_source=coupons&utm_medium=affiliate', referrer: 'https://coupons.example/' }, 0.03],
] as const
const BOUGHT_CLICKS = [
  [{ query: 'gclid=EAIaIQob&utm_campaign=display', referrer: '' }, 0.4],
  [{ query: 'utm_source=coupons&utm_medium=affiliate', referrer: 'https://coupons.example/' }, 0.25],
  [DIRECT, 0.35],
] as const

/** @param honest whether the visitor is a customer; otherwise click fraud or fake accounts */
export function demoLanding(host: string, honest: boolean, chance: Chance): Landing {
  const { query, referrer } = chance.pickWeighted(honest ? SOURCES : BOUGHT_CLICKS)
  const page = chance.pick(PAGES)
  const separator = page.includes('?') ? '&' : '?'
  const scheme = host === 'localhost' ? 'http' : 'https'
  return { url: `${scheme}://${host}${page}${query === '' ? '' : separator + query}`, referrer }
}
