import { clear, defineSignal, hit, unknown } from '../define-signal.ts'

export const tor = defineSignal({
  name: 'tor',
  title: 'Tor network',
  weight: 99,
  flag: 'tor',
  meaning: 'The address is an exit of the Tor network, which hides the addresses of its users.',
  evidence: 'The address data: the list of Tor exits.',
  innocentCauses: ['a person who uses Tor Browser for privacy or against censorship'],
  test({ ip, address }) {
    if (ip.tor === undefined) return unknown
    return ip.tor ? hit('Is tor', { address }) : clear
  },
})
