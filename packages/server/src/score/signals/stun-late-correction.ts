import { clear, defineSignal, hit, unknown } from '../define-signal.ts'

export const stunLateCorrection = defineSignal({
  name: 'stun_late_correction',
  title: 'Network check passed late',
  weight: -30,
  meaning: 'The network check passed after scoring, so the points of `stun_not_checked` are removed.',
  evidence: 'A packet of the network check that arrived after scoring.',
  innocentCauses: ['a slow or lossy connection'],
  test({ network: { turn } }) {
    if (!turn.available) return unknown
    if (!turn.value.late) return clear
    return hit('Stun passed (late arrival, corrected)', {
      transports: turn.value.sightings.map(({ transport }) => transport),
    })
  },
})
