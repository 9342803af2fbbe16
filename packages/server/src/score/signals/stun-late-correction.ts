import { clear, defineSignal, hit, unknown } from '../define-signal.ts'

export const stunLateCorrection = defineSignal({
  name: 'stun_late_correction',
  title: 'Network check passed late',
  weight: -30,
  meaning: 'The network check passed after the score was given, which takes back the points for its absence.',
  evidence: 'A packet of the network check that came after the score was given.',
  innocentCauses: ['a slow or lossy line'],
  test({ network: { turn } }) {
    if (!turn.available) return unknown
    if (!turn.value.late) return clear
    return hit('Stun passed (late arrival, corrected)', {
      transports: turn.value.sightings.map(({ transport }) => transport),
    })
  },
})
