import { SIGNAL_CATALOGUE } from '@inkling/contract'
import type { DomainRight } from '@inkling/contract/account'
import { isGiven, type Needs } from '../api/rights.ts'
import { PAGES, type Page } from '../pages.ts'
import type { IconName } from '../parts/icon.tsx'
import type { Find, Target } from './find.ts'

interface Named {
  title: string
  about: string
  icon: IconName
  to: Target['to']
  params?: Record<string, string>
  needs?: Needs | undefined
  /** Further words that it is found by. */
  words?: string
}

/** Settings and parts of pages, by the names that they have there. */
const SETTINGS: readonly Pick<Named, 'title' | 'to' | 'words' | 'needs'>[] = [
  { title: 'Password', to: '/account' },
  { title: 'Authenticator app', to: '/account', words: 'second factor 2fa totp' },
  { title: 'Passkeys', to: '/account', words: 'second factor 2fa' },
  { title: 'Recovery codes', to: '/account', words: 'second factor 2fa' },
  { title: 'Sessions', to: '/account', words: 'signed in' },
  { title: 'Keys of a domain', to: '/domains', words: 'api public secret user verdict key rotate' },
  { title: 'Origins that may use the public key', to: '/domains', words: 'hosts cors' },
  { title: 'Signed accounts only', to: '/domains', words: 'user key signature' },
  { title: 'Sealed verdicts', to: '/domains', words: 'verdict key' },
  { title: 'Disk budget', to: '/domains', words: 'limits storage' },
  { title: 'Reviews open cases', to: '/domains' },
  { title: 'Hours until a case is due', to: '/domains' },
  { title: 'Signing secret', to: '/d/$domain/webhooks', words: 'rotate' },
  { title: 'Roles in the domain', to: '/d/$domain/members', words: 'members users access permissions' },
  { title: 'Endpoints and deliveries', to: '/d/$domain/webhooks', words: 'ping events' },
  { title: 'Declared agents', to: '/d/$domain/rules', words: 'bots crawlers robots' },
  { title: 'Back-test of weights', to: '/d/$domain/rules' },
  { title: 'Decision score', to: '/d/$domain/decision-rules', words: 'thresholds' },
  { title: 'Ready-made sets', to: '/d/$domain/decision-rules', words: 'rules templates' },
  { title: 'Content security policy', to: '/d/$domain/integration', words: 'csp script snippet' },
  { title: 'Import and export of lists', to: '/d/$domain/lists', words: 'csv' },
  { title: 'Import and export of labels', to: '/d/$domain/labels', words: 'csv chargebacks' },
  { title: 'Erase a person', to: '/d/$domain/privacy', words: 'delete gdpr', needs: 'privacy:write' },
  { title: 'Export a person', to: '/d/$domain/privacy', words: 'access gdpr', needs: 'privacy:write' },
  { title: 'Invite a user', to: '/users', needs: 'owner' },
]

const pages: readonly Page[] = PAGES
const titleOf = new Map<string, string>(pages.map(({ path, title }) => [path, title]))

const neededBy = (to: string): Needs | undefined => pages.find(({ path }) => path === to)?.needs

const NAMED: readonly Named[] = [
  ...PAGES.flatMap((page): Named[] => {
    // Others are about one thing, which the address has to name.
    if (!('icon' in page) && page.path !== '/account') return []
    const icon = 'icon' in page ? page.icon : 'user'
    return [{ title: page.title, about: 'Page', icon, to: page.path, needs: neededBy(page.path) }]
  }),
  ...SETTINGS.map(
    ({ to, ...named }): Named => ({
      ...named,
      about: `Setting on the page “${titleOf.get(to)}”`,
      icon: 'sliders',
      to,
      needs: named.needs ?? neededBy(to),
    }),
  ),
  ...Object.entries(SIGNAL_CATALOGUE).map(
    ([signal, { title }]): Named => ({
      title,
      about: 'Signal: what it means and where it hit',
      icon: 'pulse',
      to: '/d/$domain/signals/$signal',
      needs: 'visits:read',
      params: { signal },
      words: signal.replaceAll('_', ' '),
    }),
  ),
]

const CHARACTERS_MIN = 2
const FINDS_MAX = 6

interface Where {
  /** Undefined while there is no domain. */
  domain: string | undefined
  /** Names of all domains. */
  domains: readonly string[]
  isOwner: boolean
  /** In the domain; without one, in any. */
  rights: ReadonlySet<DomainRight>
}

/** Pages, settings, signals and other domains whose name has the words of a text, the closest first. */
export function namedPages(typed: string, { domain, domains, isOwner, rights }: Where): Find[] {
  const text = typed.trim().toLowerCase()
  if (text.length < CHARACTERS_MIN) return []
  const here = NAMED.filter(({ to }) => domain !== undefined || !to.startsWith('/d/'))
  return [...here, ...domains.filter((name) => name !== domain).map(overviewOf)]
    .filter(({ needs }) => isGiven(needs, { isOwner, rights }))
    .flatMap((named) => {
      const distance = distanceOf(text, named)
      return distance === undefined ? [] : [{ named, distance }]
    })
    .toSorted((one, other) => one.distance - other.distance)
    .slice(0, FINDS_MAX)
    .map(({ named: { icon, title, about, to, params } }) => ({
      icon,
      title,
      about,
      target: {
        to,
        params: { ...(to.startsWith('/d/') && domain !== undefined && { domain }), ...params },
        search: {},
      },
    }))
}

const overviewOf = (name: string): Named => ({
  title: name,
  about: 'Domain: its overview',
  icon: 'globe',
  to: '/d/$domain/overview',
  params: { domain: name },
})

/** Least for a title that begins so; undefined if a word of the text begins no word of the name. */
function distanceOf(text: string, { title, words = '' }: Named): number | undefined {
  const name = title.toLowerCase()
  if (name.startsWith(text)) return 0
  const begins = (within: string): boolean =>
    text.split(/\s+/).every((word) => within.split(/[\s().,-]+/).some((known) => known.startsWith(word)))
  if (begins(name)) return 1
  return begins(`${name} ${words}`) ? 2 : undefined
}
