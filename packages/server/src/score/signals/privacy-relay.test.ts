import { describeSignal } from '../../../test/describe-signal.ts'
import { identified } from '../../../test/identified.ts'
import { privacyRelay } from './privacy-relay.ts'

const listed = (answer: boolean | undefined) =>
  identified({ ip: { ...identified().ip, privacyRelay: answer } })

describeSignal(privacyRelay, {
  hit: [["the address is one of a relay's", listed(true)]],
  clear: [['the address is of no relay', listed(false)]],
  unknown: [['no such list is loaded', listed(undefined)]],
})
