import { describeSignal } from '../../../test/describe-signal.ts'
import { identified } from '../../../test/identified.ts'
import { datacenterIp } from './datacenter-ip.ts'

const hosting = (answer: boolean | undefined) => identified({ ip: { ...identified().ip, hosting: answer } })

describeSignal(datacenterIp, {
  hit: [['the network hosts servers', hosting(true)]],
  clear: [['the network does not', hosting(false)]],
  unknown: [['the address is in no table', hosting(undefined)]],
})
