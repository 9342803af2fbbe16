import { findDomain } from '../find-domain.ts'
import type { Handler } from '../handler.ts'
import { presentDomain } from './present-domain.ts'

export const getDomain: Handler<'getDomain'> = async ({ params }, deps) =>
  presentDomain(await findDomain(deps.store, params.domain), deps)
