import { AppError } from '../../lib/errors.ts'
import { domainRulesStore } from '../../store/domains/domain-rules.ts'
import { change } from '../change.ts'
import { findDomain } from '../find-domain.ts'
import type { Handler } from '../handler.ts'
import { presentRules } from './present-rules.ts'

export const chooseRules: Handler<'chooseRules'> = async ({ params, body, caller }, deps) => {
  const { id, name } = await findDomain(deps.store, params.domain)
  const detail = { version: body.version ?? 'release' }
  const entry = { actor: caller.email, action: 'rules.choose', target: name, detail }
  const chosen = await change(deps, entry, async (transaction) =>
    (await domainRulesStore(transaction).choose(id, body.version)) ? true : undefined,
  )
  if (!chosen) throw new AppError('INK_NOT_FOUND', 'no such version')
  return presentRules(deps.store, id)
}
