import { NIL_UUID } from '@inkling/contract'
import { expect, test } from 'vitest'
import { describeSignal } from '../../../test/describe-signal.ts'
import { identified } from '../../../test/identified.ts'
import { stickyVerdict } from './sticky-verdict.ts'

const sticky = {
  name: 'antidetect_browser',
  description: 'Antidetect browser (worker_mismatch)',
  requestId: '0b5a3f0c-8d8e-4f55-9d49-7a51f3c0f0aa',
}

describeSignal(stickyVerdict, {
  hit: [['an earlier visit was found out', identified({ sticky })]],
  clear: [['none was', identified()]],
  unknown: [
    [
      'a browser without a device',
      identified({ identity: { ...identified().identity, deviceId: NIL_UUID } }),
    ],
  ],
})

test('the description names the earlier verdict and its visit', () => {
  expect(stickyVerdict.test(identified({ sticky }))).toMatchObject({
    description: `Sticky verdict: Antidetect browser (worker_mismatch) (request ${sticky.requestId})`,
  })
})
