import { findDomain } from '../find-domain.ts'
import type { Handler } from '../handler.ts'
import { presentRules } from './present-rules.ts'

export const getRules: Handler<'getRules'> = async ({ params }, { store }) =>
  presentRules(store, (await findDomain(store, params.domain)).id)
