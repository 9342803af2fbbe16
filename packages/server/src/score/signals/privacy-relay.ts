import { clear, defineSignal, hit, unknown } from '../define-signal.ts'

export const privacyRelay = defineSignal({
  name: 'privacy_relay',
  title: 'Privacy relay',
  weight: 15,
  flag: 'privacy_relay',
  meaning: 'The address belongs to a privacy relay that a browser vendor runs, such as iCloud Private Relay.',
  evidence: 'The address data: the ranges that the relay publishes.',
  innocentCauses: ['every Safari user with Private Relay'],
  test({ ip, address }) {
    if (ip.privacyRelay === undefined) return unknown
    return ip.privacyRelay ? hit('Is privacy relay', { address, country: ip.country }) : clear
  },
})
