import { expect, test } from 'vitest'
import { describeSignal } from '../../../test/describe-signal.ts'
import { identified, proof } from '../../../test/identified.ts'
import { replayed } from './replayed.ts'

const FIRST = '0b5a3f0c-8d8e-4f55-9d49-7a51f3c0f0ff'
const repeated = identified({
  proof: proof({ ticket: { state: 'repeated', why: 'body', firstRequestId: FIRST } }),
})

describeSignal(replayed, {
  hit: [['a body under another request ID', repeated]],
  clear: [
    ['an ordinary visit', identified()],
    ['no ticket', identified({ proof: proof({ ticket: { state: 'missing' } }) })],
  ],
  unknown: [['a snapshot of an earlier release', identified({ proof: undefined })]],
})

test('the evidence names the first use', () => {
  expect(replayed.test(repeated)).toMatchObject({ evidence: { repeated: 'body', first_request_id: FIRST } })
})
