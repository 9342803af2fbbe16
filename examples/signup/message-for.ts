import type { DecidedVisit } from '@inkling/sdk'

/**
 * What a refused visitor reads: advice for an honest one, and no help in getting around the check. The reasons of a
 * decision are for the shop alone, because they tell its rules.
 */
export function messageFor(decided: DecidedVisit): string {
  if (decided.status === 'unverified')
    return 'We could not check your browser. Please allow JavaScript and our own scripts, and try again.'
  if (decided.status === 'refused')
    return decided.reason === 'visit_too_old'
      ? 'This page was open for a while. Please send the form again.'
      : 'This form was sent already. Please send it again from this page.'
  if (decided.band === 'rate_limited') return 'Too many tries from your network. Please wait ten minutes.'
  return 'We cannot open this account. Please write to us if you think this is wrong.'
}

export const TOO_MANY_ACCOUNTS =
  'There are enough accounts on this device already. Please write to us if you need another.'
