/** What a named API key may be allowed to do. */
export const API_KEY_SCOPES = {
  'history:read': 'Search identifications and read explanations',
  assess: 'Assess requests',
  decide: 'Ask what to do about visits',
  'labels:write': 'Label visitors',
  'patterns:read': 'Read findings of abuse patterns with their identifications',
  'entities:read': 'Read about devices, visitors, accounts and addresses, with findings and labels',
  'lists:read': 'Read the allow, deny and watch lists with reasons and authors',
  'cases:read': 'Read cases with their notes',
} as const

export type ApiKeyScope = keyof typeof API_KEY_SCOPES

export const API_KEY_SCOPE_NAMES = Object.keys(API_KEY_SCOPES) as [ApiKeyScope, ...ApiKeyScope[]]

/** What the Private API Key of a domain opens. Keys that exist gain nothing by an upgrade, so further scopes are for named keys. */
export const PRIVATE_KEY_SCOPES: readonly ApiKeyScope[] = ['history:read', 'assess', 'decide', 'labels:write']
