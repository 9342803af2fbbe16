/** What every page test walks: a page joins by a line. */
export interface PageUnderTest {
  /** Below the dashboard; `ONE` stands for an identification, `ACCOUNT` for an account. */
  path: string
  /** Its heading of the first level. */
  heading: string
  /** Something of its data: the page is not done before it shows. */
  shows: RegExp
}

export const PAGES: readonly PageUnderTest[] = [
  { path: 'd/shop.example/overview', heading: 'Overview', shows: /Germany/ },
  { path: 'd/shop.example/identifications', heading: 'Identifications', shows: /50 shown/ },
  { path: 'd/shop.example/identifications/ONE', heading: 'Identification', shows: /Raw snapshot/ },
  { path: 'd/shop.example/entity?type=user_hid&value=ACCOUNT', heading: 'Account', shows: /Devices \(\d+\)/ },
  { path: 'd/shop.example/patterns', heading: 'Patterns', shows: /Patterns/ },
  { path: 'd/shop.example/integration', heading: 'Integration', shows: /Identifications are coming in/ },
  { path: 'd/shop.example/webhooks', heading: 'Webhooks', shows: /backend\.example/ },
  { path: 'd/shop.example/rules', heading: 'Weights and rules', shows: /Tor/ },
  { path: 'd/shop.example/privacy', heading: 'Privacy', shows: /Erase/ },
  { path: 'domains', heading: 'Domains and keys', shows: /rotated\.example/ },
  { path: 'feeds', heading: 'Feeds', shows: /No lists are used/ },
  { path: 'health', heading: 'System health', shows: /Database/ },
  { path: 'users', heading: 'Users', shows: /analyst@shop\.example/ },
  { path: 'audit', heading: 'Audit log', shows: /user\.add|domain\.add/ },
]
