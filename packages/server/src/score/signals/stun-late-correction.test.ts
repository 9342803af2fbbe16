import { describeSignal } from '../../../test/describe-signal.ts'
import { identified } from '../../../test/identified.ts'
import { turnEvidence } from '../../../test/network.ts'
import { stunLateCorrection } from './stun-late-correction.ts'

const ordinary = identified()
const reported = (turn: typeof ordinary.network.turn) =>
  identified({ network: { ...ordinary.network, turn } })
const without = (reason: string) => reported({ available: false, reason })

describeSignal(stunLateCorrection, {
  hit: [['the packet came after the score', reported(turnEvidence('91.0.0.1', true))]],
  clear: [['the packet came in time', reported(turnEvidence('91.0.0.1'))]],
  unknown: [['no packet came', without('no_packet')]],
})
