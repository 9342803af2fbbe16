import { AppError } from '../../lib/errors.ts'
import { findDomain } from '../find-domain.ts'
import type { Handler } from '../handler.ts'
import { presentBackTest } from './present-back-test.ts'

export const startBackTest: Handler<'startBackTest'> = async ({ params, body }, { store, backTests }) => {
  const test = backTests.start(await findDomain(store, params.domain), body)
  if (!test) throw new AppError('INK_BACK_TEST_RUNNING')
  return presentBackTest(test)
}
