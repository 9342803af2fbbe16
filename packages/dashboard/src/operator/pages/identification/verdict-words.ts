import { bandOf, type Explanation, LITTLE_EVIDENCE, type SignalName, signalTitle } from '@inkling/contract'

/** What each signal says happened, as half a sentence. */
const CLAUSES: Record<SignalName, string> = {
  javascript_disabled: 'the browser ran no JavaScript',
  incomplete_evidence: 'it lacks what every visit has',
  implausible_evidence: 'it reports values that no browser reports together',
  replayed: 'it repeats what another visit sent',
  client_mismatch: 'another program than the browser it names sent it',
  cookie_on_other_machine: 'its cookie was copied from another machine',
  antidetect_browser: 'this browser hides what it is',
  browser_automation: 'a program drove this browser',
  honeytoken: 'it used bait that people cannot see',
  sticky_verdict: 'an earlier visit of this device was found out',
  tor: 'it came through the Tor network',
  privacy_relay: 'it came through a privacy relay',
  vpn: 'it came through a VPN',
  browser_vpn_proxy: 'it came through a VPN or proxy in the browser',
  os_mismatch: 'its packets come from another operating system than the browser names',
  os_not_detected: 'its operating system could not be told',
  proxy: 'a proxy passed it on',
  datacenter_ip: 'its address belongs to a data center',
  abuser: 'its address has a bad reputation',
  timezone_mismatch: 'the clock of the browser is set for another part of the world than its address',
  stun_not_checked: 'its network check never arrived',
  stun_late_correction: 'its network check arrived late',
  ip_mismatch: 'another address stands behind the one it came from',
  incognito: 'the window was private',
  check_incomplete: 'the checks of the browser did not finish',
}

const clauseOf = (name: string): string =>
  Object.hasOwn(CLAUSES, name) ? CLAUSES[name as SignalName] : `“${signalTitle(name)}” was found`

/** Beyond these the list below says it better. */
const ALSO_MAX = 3

type Judged = Pick<Explanation, 'score' | 'entries' | 'evidence' | 'agent'>

/** The verdict in a few sentences of plain words, the weightiest finding first. */
export function verdictSentences({ score, entries, evidence = 1, agent }: Judged): string[] {
  if (bandOf(score) === 'rate_limited')
    return ['Too many visits came from this address, so this one was not judged.']
  const counted = entries.filter(({ value }) => value > 0).toSorted((a, b) => b.value - a.value)
  const [main, ...others] = [...new Set(counted.map(({ name }) => clauseOf(name)))]
  const sentences = [
    ...(agent?.identity === 'verified' ? [`This is ${agent.name}, and it has proven that.`] : []),
    ...(agent?.identity === 'spoofed' ? [`It says that it is ${agent.name}, and it is not.`] : []),
  ]
  if (main === undefined)
    return [
      ...sentences,
      evidence < LITTLE_EVIDENCE
        ? 'Nothing speaks against this visit, but hardly anything is known of it.'
        : 'Nothing speaks against this visit.',
    ]
  const more = others.length > ALSO_MAX ? others.length - ALSO_MAX : 0
  const also = [
    ...others.slice(0, ALSO_MAX),
    ...(more > 0 ? [`${more} more ${more === 1 ? 'finding counts' : 'findings count'}`] : []),
  ]
  const lead = bandOf(score) === 'trusted' ? `Little speaks against this visit: ${main}` : capital(main)
  return [...sentences, also.length === 0 ? `${lead}.` : `${lead}; ${joined(also)}.`]
}

const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

const joined = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')}, and ${parts.at(-1)}`
