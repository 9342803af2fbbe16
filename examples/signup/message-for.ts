import type { Decision, Reason } from '@inkling/sdk'

/** What the visitor reads: advice for an honest one, and no help in getting around the check. */
const MESSAGES: Record<Reason['code'], string> = {
  unverified: 'We could not check your browser. Please allow JavaScript and our own scripts, and try again.',
  not_scored_yet: 'The check of your browser is not done yet. Please try again in a moment.',
  rate_limited: 'Too many tries from your network. Please wait ten minutes.',
  stale: 'This page was open for a while. Please send the form again.',
  reused: 'This form was sent already. Please send it again from this page.',
  too_many_accounts:
    'There are enough accounts on this device already. Please write to us if you need another.',
  suspicious: 'We need to know more before we can open this account. Please write to us.',
  dangerous: 'We cannot open this account. Please write to us if you think this is wrong.',
  flag: 'This form is for people. Please write to us if you think this is wrong.',
}

/** The message of the reason that decided. Of several, the flag's says most. */
export function messageFor({ action, reasons }: Decision): string {
  const decisive = reasons.filter((reason) => reason.action === action)
  const shown = decisive.find(({ code }) => code === 'flag') ?? decisive[0]
  return MESSAGES[shown?.code ?? 'unverified']
}
