import { type CheckOptions, startCheck } from './check.ts'

export type { CheckOptions, CheckResult } from './check.ts'

const ANONYMOUS = 'anonymous'

/** Identifies a visitor who is not logged in, at most once per five minutes of a visit. */
export function checkAnonymous(options?: CheckOptions): void {
  startCheck(ANONYMOUS, false, options)
}

/** The same for a logged-in user, given by a hash or pseudonym. A change of user is checked at once. */
export function checkAuthenticatedUser(userHid: string, options?: CheckOptions): void {
  startCheck(userHid, false, options)
}

/** Identifies now, for an action that needs a request ID of its own. */
export function forceCheckAnonymous(options?: CheckOptions): void {
  startCheck(ANONYMOUS, true, options)
}

export function forceCheckAuthenticatedUser(userHid: string, options?: CheckOptions): void {
  startCheck(userHid, true, options)
}

export default { checkAnonymous, checkAuthenticatedUser, forceCheckAnonymous, forceCheckAuthenticatedUser }
