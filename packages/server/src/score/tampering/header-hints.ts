import type { Identified } from '../../visit/identification.ts'
import type { Hint } from '../hint.ts'
import { GROUPS, type TamperingGroup } from './tampering-groups.ts'

/**
 * What each contradiction between request and script is a claim about. The orders are those of the engine
 * that the user agent names, so whoever switches that contradicts them too: one cause with the rest.
 */
const CLAIMS: Readonly<Record<string, TamperingGroup>> = {
  user_agent: 'identity',
  client_hints: 'identity',
  client_hint_platform: 'identity',
  client_hint_version: 'identity',
  language: 'languages',
  fetch_order: 'identity',
  accept_order: 'identity',
  name_case: 'transport',
  pseudo_header_order: 'identity',
}

/** Where the request that carried the snapshot tells another browser than the page. */
export const headerHints = ({ headers }: Identified): Hint[] =>
  headers.contradictions.flatMap(({ name, evidence }) => {
    const group = CLAIMS[name]
    return group
      ? [{ name: 'header_mismatch', group, points: GROUPS[group], evidence: { [name]: evidence } }]
      : []
  })
