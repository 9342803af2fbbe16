import { describeSignal } from '../../../test/describe-signal.ts'
import { identified, readings } from '../../../test/identified.ts'
import { javascriptDisabled } from './javascript-disabled.ts'

describeSignal(javascriptDisabled, {
  hit: [['the noscript image was loaded', identified({ via: 'noscript', readings: readings() })]],
  clear: [['the agent ran', identified()]],
  unknown: [['a body without a single reading', identified({ readings: readings() })]],
})
