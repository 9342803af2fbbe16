import { clear, defineSignal, hit, unknown } from '../define-signal.ts'

export const stunNotChecked = defineSignal({
  name: 'stun_not_checked',
  title: 'Network check missing',
  weight: 30,
  flag: 'stun_not_checked',
  meaning:
    "The browser ran the network check, but none of its packets reached the server, unlike other visitors'.",
  evidence:
    "The browser's statement that it ran the network check, no packet over UDP or TCP, and packets of other visitors.",
  innocentCauses: [
    'a company firewall that lets only web traffic through',
    'a privacy extension or setting that blocks WebRTC',
    'Firefox behind a SOCKS proxy',
  ],
  test({ network: { turn } }) {
    const evidence = { responder: 'turn' }
    if (turn.available) return turn.value.late ? hit('Stun is not checked', evidence) : clear
    return turn.reason === 'no_packet' ? hit('Stun is not checked', evidence) : unknown
  },
})
