/** What a named API key may be allowed to do. The Private API Key of a domain may do all of it. */
export const API_KEY_SCOPES = {
  'history:read': 'Search identifications and read explanations',
  assess: 'Assess requests',
  decide: 'Ask what to do about visits',
  'labels:write': 'Label visitors',
} as const

export type ApiKeyScope = keyof typeof API_KEY_SCOPES

export const API_KEY_SCOPE_NAMES = Object.keys(API_KEY_SCOPES) as [ApiKeyScope, ...ApiKeyScope[]]
