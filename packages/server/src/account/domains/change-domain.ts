import { AppError } from '../../lib/errors.ts'
import { domainStore } from '../../store/domains/domains.ts'
import { change } from '../change.ts'
import { findDomain } from '../find-domain.ts'
import type { Handler } from '../handler.ts'
import { presentDomain } from './present-domain.ts'

export const changeDomain: Handler<'changeDomain'> = async ({ params, body, caller }, deps) => {
  const { id, name } = await findDomain(deps.store, params.domain)
  const detail = {
    ...(body.enabled !== undefined && { enabled: body.enabled }),
    ...(body.remaining !== undefined && { remaining: body.remaining }),
  }
  const entry = { actor: caller.email, action: 'domain.change', target: name, detail }
  const changed = await change(deps, entry, (transaction) =>
    domainStore(transaction).change(id, {
      ...(body.enabled !== undefined && { enabled: body.enabled ? 1 : 0 }),
      ...(body.remaining !== undefined && { remaining: body.remaining }),
    }),
  )
  if (!changed) throw new AppError('INK_NOT_FOUND', 'no such domain')
  return presentDomain(changed, deps)
}
