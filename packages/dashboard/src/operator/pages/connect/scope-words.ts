import type { AssistantScope } from '@inkling/contract/account'

/** What a scope means to a person. */
export const SCOPE_WORDS: Record<AssistantScope, { title: string; about: string }> = {
  read: {
    title: 'Read',
    about:
      'Identifications and why they scored as they did, entities, patterns, cases, lists, labels and rules.',
  },
  propose: {
    title: 'Propose changes',
    about: 'Nothing changes until a person confirms the proposal in the dashboard.',
  },
}
