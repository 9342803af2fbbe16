import { describeSignal } from '../../../test/describe-signal.ts'
import { identified } from '../../../test/identified.ts'
import { abuser } from './abuser.ts'

const listed = (answer: boolean | undefined) => identified({ ip: { ...identified().ip, abuser: answer } })

describeSignal(abuser, {
  hit: [['a list names the address', listed(true)]],
  clear: [['no list names the address', listed(false)]],
  unknown: [['no such list is loaded', listed(undefined)]],
})
