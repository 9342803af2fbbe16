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
    ['packets of others arrive, and none of this visitor', without('no_packet')],
    ['the packet arrived after the score', reported(turnEvidence('91.0.0.1', true))],
  ],
  clear: [['a packet came in time', reported(turnEvidence('91.0.0.1'))]],
  unknown: [
    ['no packet ever arrived: the port may be closed', without('unproven')],
    ['the page left', without('interrupted')],
    ['the browser has no WebRTC', without('unsupported')],
    ['the check is still running', without('pending')],
    ['there is no responder', without('off')],
  ],
})
