import { describeSignal } from '../../../test/describe-signal.ts'
import { identified } from '../../../test/identified.ts'
import { tor } from './tor.ts'

const listed = (answer: boolean | undefined) => identified({ ip: { ...identified().ip, tor: answer } })

describeSignal(tor, {
  hit: [['the address is an exit', listed(true)]],
  clear: [['the address is no exit', listed(false)]],
  unknown: [['no such list is loaded', listed(undefined)]],
})
