import { clear, defineSignal, hit, unknown } from '../define-signal.ts'

export const abuser = defineSignal({
  name: 'abuser',
  title: 'Address with a bad reputation',
  weight: 10,
  flag: 'abuser',
  meaning: 'Public lists reported the address for attacks or spam in the last days.',
  evidence:
    'The address data: public lists of attacking and spamming addresses. Shared addresses are not checked.',
  innocentCauses: [
    'a new customer who got the address of an infected one',
    'someone in the same house or office whose machine is infected',
  ],
  test({ ip, address }) {
    if (ip.abuser === undefined) return unknown
    return ip.abuser ? hit('Is abuser', { address }) : clear
  },
})
