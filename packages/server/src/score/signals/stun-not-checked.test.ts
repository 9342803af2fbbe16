import { describeSignal } from '../../../test/describe-signal.ts'
import { identified } from '../../../test/identified.ts'
import { turnEvidence } from '../../../test/network.ts'
import { stunNotChecked } from './stun-not-checked.ts'

const ordinary = identified()
const reported = (turn: typeof ordinary.network.turn) =>
  identified({ network: { ...ordinary.network, turn } })
const without = (reason: string) => reported({ available: false, reason })

describeSignal(stunNotChecked, {
  hit: [
    ['others get through and this one does not', without('no_packet')],
    ['it came after the score', reported(turnEvidence('91.0.0.1', true))],
  ],
  clear: [['a packet came in time', reported(turnEvidence('91.0.0.1'))]],
  unknown: [
    ['nobody ever got through: the port may be shut', without('unproven')],
    ['the page left', without('interrupted')],
    ['the browser has no WebRTC', without('unsupported')],
    ['the check is still running', without('pending')],
    ['there is no responder', without('off')],
  ],
})
