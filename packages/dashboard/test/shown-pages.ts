export interface Shown {
  /** Part of the page's data: the page has not loaded before this text appears. */
  text: RegExp
  /** Its heading, where that is not the title in the list of pages. */
  heading?: string
  /** The query of its address; `ACCOUNT` stands for an account, `FIRST` and `SECOND` for two devices. */
  query?: string
}

/** What tests and pictures look for on each page. */
export const SHOWN_PAGES = {
  '/d/$domain/overview': { text: /Germany/ },
  '/d/$domain/identifications': { text: /50 shown/ },
  '/d/$domain/identifications/$requestId': { text: /Raw snapshot/ },
  '/d/$domain/entity': {
    text: /Devices \(\d+\)/,
    heading: 'Account',
    query: '?type=user_hid&value=ACCOUNT',
  },
  '/d/$domain/compare': { text: /Graphics card/, query: '?a=FIRST&b=SECOND' },
  '/d/$domain/cases': { text: /Review asked for at signup/ },
  '/d/$domain/cases/$number': { text: /Known of it/, heading: 'Case 1' },
  '/d/$domain/patterns': { text: /Patterns/ },
  '/d/$domain/patterns/$findingId': { text: /Pattern not found/ },
  '/d/$domain/proposals': { text: /Nothing is proposed/ },
  '/d/$domain/alerts': { text: /Many accounts on one device/ },
  '/d/$domain/decisions': { text: /No rule decides/ },
  '/d/$domain/decision-rules': { text: /Automated sign-up/ },
  '/d/$domain/decision-rules/$ruleId': { text: /Versions/, heading: 'Automated sign-up' },
  '/d/$domain/lists': { text: /Our own testers/ },
  '/d/$domain/labels': { text: /Order 1042/ },
  '/d/$domain/api-keys': { text: /Checkout/ },
  '/d/$domain/integration': { text: /Identifications are arriving/ },
  '/d/$domain/webhooks': { text: /backend\.example/ },
  '/d/$domain/rules': { text: /Tor/ },
  '/d/$domain/signals/$signal': { text: /Innocent causes/, heading: 'Tor network' },
  '/d/$domain/privacy': { text: /Erase/ },
  '/d/$domain/members': { text: /What the roles mean/ },
  '/d/$domain/changes': { text: /Who changed what in/ },
  '/domains': { text: /rotated\.example/ },
  '/feeds': { text: /Feeds are off/ },
  '/health': { text: /Database/ },
  '/users': { text: /analyst@shop\.example/ },
  '/account': { text: /This browser/ },
  '/connect': { text: /No assistant asks for anything/ },
  '/audit': { text: /user\.add|domain\.add/ },
} satisfies Record<string, Shown>

export type ShownPath = keyof typeof SHOWN_PAGES

export interface Examples {
  domain: string
  requestId: string
  account: string
  /** Two devices to be compared. */
  devices: readonly [string, string]
}

/** The address of a page, with one example for each of its parameters. */
export function addressOf(path: ShownPath, { domain, requestId, account, devices }: Examples): string {
  const { query = '' }: Shown = SHOWN_PAGES[path]
  return `${path.slice(1)}${query}`
    .replace('$domain', domain)
    .replace('$requestId', requestId)
    .replace('$findingId', '999999')
    .replace('$ruleId', '1')
    .replace('$number', '1')
    .replace('$signal', 'tor')
    .replace('ACCOUNT', account)
    .replace('FIRST', devices[0])
    .replace('SECOND', devices[1])
}
