import { findDomain } from '../find-domain.ts'
import type { Handler } from '../handler.ts'
import { presentBackTest } from './present-back-test.ts'

export const getBackTest: Handler<'getBackTest'> = async ({ params }, { store, backTests }) => {
  const test = backTests.latest((await findDomain(store, params.domain)).id)
  return { back_test: test ? presentBackTest(test) : null }
}
