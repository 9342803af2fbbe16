import { domainRulesStore } from '../../store/domains/domain-rules.ts'
import { change } from '../change.ts'
import { findDomain } from '../find-domain.ts'
import type { Handler } from '../handler.ts'
import { presentRules } from './present-rules.ts'

export const saveRules: Handler<'saveRules'> = async ({ params, body, caller }, deps) => {
  const { id, name } = await findDomain(deps.store, params.domain)
  const detail = { weights: JSON.stringify(body.weights), note: body.note }
  const entry = { actor: caller.email, action: 'rules.save', target: name, detail }
  await change(deps, entry, (transaction) =>
    domainRulesStore(transaction).save(id, { ...body, actor: caller.email }, deps.now()),
  )
  return presentRules(deps.store, id)
}
