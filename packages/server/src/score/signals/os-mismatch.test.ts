import { expect, test } from 'vitest'
import { describeSignal } from '../../../test/describe-signal.ts'
import { identified } from '../../../test/identified.ts'
import { osMismatch } from './os-mismatch.ts'

const ordinary = identified()
const visit = (browserOs: string, networkOs: 'Windows' | 'Linux' | 'Apple' | undefined, forged = false) =>
  identified({
    client: { ...ordinary.client, os: browserOs },
    stack: { ...ordinary.stack, os: networkOs, forged },
  })

describeSignal(osMismatch, {
  hit: [
    ['a browser on Windows, packets of Linux', visit('Windows', 'Linux')],
    ['a browser on an iPhone, packets of Windows', visit('IOS (iPhone)', 'Windows')],
    ['packets that mix two systems', visit('Windows', 'Windows', true)],
  ],
  clear: [
    ['Windows and Windows', visit('Windows', 'Windows')],
    ['Android has the Linux stack', visit('Android', 'Linux')],
    ['ChromeOS has the Linux stack', visit('ChromeOS', 'Linux')],
    ['iPad and Mac share a stack', visit('IOS (iPad)', 'Apple')],
  ],
  unknown: [
    ['the packets were not seen', visit('Windows', undefined)],
    ['a system whose stack is not known', visit('Unknown', 'Linux')],
  ],
})

test('the description has the format that clients parse', () => {
  expect(osMismatch.test(visit('Windows', 'Linux'))).toMatchObject({
    description: 'Os_mismatch (Windows ≠ Linux)',
  })
})
