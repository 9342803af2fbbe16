import { expect, test } from 'vitest'
import { describeSignal } from '../../../test/describe-signal.ts'
import { identified } from '../../../test/identified.ts'
import { leak, sameAddress } from '../../../test/network.ts'
import { ipMismatch } from './ip-mismatch.ts'

const elsewhere = identified({ check: leak('198.51.100.7', true) })

describeSignal(ipMismatch, {
  hit: [['packets come from another address', elsewhere]],
  clear: [['packets come from the same address', identified({ check: sameAddress('91.0.0.1') })]],
  unknown: [['no check has reported', identified()]],
})

test('the description names both addresses as clients parse them', () => {
  expect(ipMismatch.test(elsewhere)).toMatchObject({
    description: 'IP ≠ leakIP (91.0.0.1 ≠ 198.51.100.7, source=service)',
  })
})
