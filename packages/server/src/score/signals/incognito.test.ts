import { describeSignal } from '../../../test/describe-signal.ts'
import { identified, ordinaryReadings, value } from '../../../test/identified.ts'
import { incognito } from './incognito.ts'

const UNTIMED = { write_ms: null, flush_ratio: null }

const visit = (engine: string, files: string, times: object = UNTIMED, indexed_db = true) =>
  identified({
    client: { ...identified().client, engine },
    readings: {
      ...ordinaryReadings(),
      private_mode: value({ ...UNTIMED, files, ...times }),
      storage: value({ cookies: true, local_storage: true, session_storage: true, indexed_db }),
    },
  })

describeSignal(incognito, {
  hit: [
    [
      'Chromium whose writes are messages, and flushes nothing',
      visit('Blink', 'ok', { write_ms: 0.5, flush_ratio: 1.05 }),
    ],
    ['Firefox that refuses files', visit('Gecko', 'SecurityError')],
    ['Safari that refuses files', visit('WebKit', 'UnknownError')],
  ],
  clear: [
    ['Chromium whose flushes wait for the disk', visit('Blink', 'ok', { write_ms: 0.02, flush_ratio: 21 })],
    [
      'Chromium on a busy machine, whose flushes still do',
      visit('Blink', 'ok', { write_ms: 0.3, flush_ratio: 8 }),
    ],
    ['Chromium whose profile is kept in memory', visit('Blink', 'ok', { write_ms: 0.007, flush_ratio: 1.1 })],
    ['Chromium whose writes take no time', visit('Blink', 'ok', { write_ms: 0 })],
    ['Firefox that gives files', visit('Gecko', 'ok', { write_ms: 0.4, flush_ratio: 1 })],
    ['Safari that gives files', visit('WebKit', 'ok')],
  ],
  unknown: [
    ['no reading', identified()],
    ['writes that could not be timed', visit('Blink', 'ok')],
    ['flushes that took a little longer', visit('Blink', 'ok', { write_ms: 0.2, flush_ratio: 2 })],
    [
      'writes too slow for a file and too fast for a message',
      visit('Blink', 'ok', { write_ms: 0.03, flush_ratio: 1 }),
    ],
    ['storage is blocked, so files are refused anywhere', visit('Gecko', 'SecurityError', UNTIMED, false)],
    ['an engine that is not known', visit('Ladybird', 'ok', { write_ms: 0.5, flush_ratio: 1 })],
  ],
})
