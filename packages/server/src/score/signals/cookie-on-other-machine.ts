import { clear, defineSignal, hit, unknown } from '../define-signal.ts'

export const cookieOnOtherMachine = defineSignal({
  name: 'cookie_on_other_machine',
  title: 'Cookie of another machine',
  weight: 60,
  meaning:
    'The cookie belongs to a browser on another machine: the key that came with it before is missing or replaced, and the hardware differs.',
  evidence: "The keys that browsers proved with the cookie before, and the device's hardware.",
  innocentCauses: [
    'a program that copies cookies between the machines of one person',
    'a machine that got new hardware, whose browser lost its stored keys but kept its cookies',
  ],
  test({ identity: { decision } }) {
    const history = decision?.keyHistory
    if (decision === undefined || history === undefined) return unknown
    if (history !== 'another_machine') return clear
    return hit('Cookie on other machine', {
      key: history,
      hardware: decision.hardwareFlips,
      changed: decision.changed,
    })
  },
})
