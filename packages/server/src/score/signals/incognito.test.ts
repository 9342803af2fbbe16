import { describeSignal } from '../../../test/describe-signal.ts'
import { identified, ordinaryReadings, value } from '../../../test/identified.ts'
import { incognito } from './incognito.ts'

const visit = (engine: string, files: string, durability_ratio: number | null = null, indexed_db = true) =>
  identified({
    client: { ...identified().client, engine },
    readings: {
      ...ordinaryReadings(),
      private_mode: value({ files, durability_ratio }),
      storage: value({ cookies: true, local_storage: true, session_storage: true, indexed_db }),
    },
  })

describeSignal(incognito, {
  hit: [
    ['Chromium whose durable writes cost nothing', visit('Blink', 'ok', 1.05)],
    ['Firefox that refuses files', visit('Gecko', 'SecurityError')],
    ['Safari that refuses files', visit('WebKit', 'UnknownError')],
  ],
  clear: [
    ['Chromium whose durable writes take longer', visit('Blink', 'ok', 2.1)],
    ['Firefox that gives files', visit('Gecko', 'ok', 1)],
    ['Safari that gives files', visit('WebKit', 'ok')],
  ],
  unknown: [
    ['no reading', identified()],
    ['writes that took a little longer, as by chance on a busy machine', visit('Blink', 'ok', 1.3)],
    ['writes that took no time', visit('Blink', 'ok', null)],
    ['a browser without files', visit('Gecko', '')],
    ['storage is blocked, so files are refused anywhere', visit('Gecko', 'SecurityError', null, false)],
    ['an engine that is not known', visit('Ladybird', 'ok', 1)],
  ],
})
