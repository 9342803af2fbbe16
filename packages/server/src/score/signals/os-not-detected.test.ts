import { describeSignal } from '../../../test/describe-signal.ts'
import { identified, missing, ordinaryReadings } from '../../../test/identified.ts'
import { osNotDetected } from './os-not-detected.ts'

const unknownClient = { ...identified().client, os: 'Unknown' }

describeSignal(osNotDetected, {
  hit: [['a user agent without a system', identified({ client: unknownClient })]],
  clear: [['Windows', identified()]],
  unknown: [
    [
      'no user agent at all',
      identified({
        client: unknownClient,
        readings: { ...ordinaryReadings(), user_agent: missing },
        request: { userAgent: '', acceptLanguage: '' },
      }),
    ],
  ],
})
