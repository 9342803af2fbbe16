import type { ReadingName } from '@inkling/contract'
import { clear, defineSignal, hit } from '../define-signal.ts'

/** Every engine has these, also in privacy modes, so they are missing only if the agent was interrupted. */
const EXPECTED: readonly ReadingName[] = [
  'user_agent',
  'screen',
  'timezone',
  'languages',
  'hardware',
  'automation',
]

export const checkIncomplete = defineSignal({
  name: 'check_incomplete',
  title: 'Browser check incomplete',
  weight: 0,
  flag: 'check_incomplete',
  meaning: 'The browser check did not finish, so less is known than usual. Adds nothing to the score.',
  evidence: 'Which readings the agent sent.',
  innocentCauses: ['a visitor who leaves the page before the check ends', 'a slow device'],
  test({ readings }) {
    const missing = EXPECTED.filter((name) => !readings[name].ok)
    return missing.length === 0 ? clear : hit('Check Incomplete', { missing })
  },
})
