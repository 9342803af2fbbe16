import type { ProposableName, Proposal } from '@inkling/contract/account'

/** What would be done, in words. */
export const PROPOSAL_WORDS: Record<ProposableName, string> = {
  saveListEntry: 'Add an entry to a list',
  saveLabel: 'Add a label',
  openCase: 'Open a case',
  addToCase: 'Add to a case',
  decideCase: 'Decide and close a case',
  addDecisionRule: 'Add a decision rule in shadow',
}

/** Every field that would be sent, with its path and its exact value: nothing may be confirmed that was not shown. */
export function proposedFields({ params, body }: Pick<Proposal, 'params' | 'body'>): [string, string][] {
  return [...flat(params), ...flat(body)]
}

function flat(value: unknown, path = ''): [string, string][] {
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([name, inner]) =>
      flat(inner, path === '' ? name : `${path} ${name}`),
    )
  return [[path.replaceAll('_', ' '), shown(value)]]
}

function shown(value: unknown): string {
  if (value === null) return '(none)'
  return typeof value === 'string' ? value : JSON.stringify(value)
}
