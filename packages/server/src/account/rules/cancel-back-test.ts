import { findDomain } from '../find-domain.ts'
import type { Handler } from '../handler.ts'

export const cancelBackTest: Handler<'cancelBackTest'> = async ({ params }, { store, backTests }) => {
  await backTests.cancel((await findDomain(store, params.domain)).id)
  return undefined
}
