import { newKey } from '../../auth/rotate-key.ts'
import { domainStore } from '../../store/domains/domains.ts'
import { change } from '../change.ts'
import { findDomain } from '../find-domain.ts'
import type { Handler } from '../handler.ts'

export const rotateKey: Handler<'rotateKey'> = async ({ params, caller }, deps) => {
  const { id, name } = await findDomain(deps.store, params.domain)
  const { kind } = params
  const { key, change: replacement } = newKey(kind)
  const entry = { actor: caller.email, action: 'key.rotate', target: name, detail: { kind } }
  await change(deps, entry, (transaction) => domainStore(transaction).change(id, replacement))
  await deps.keyRotated(name, kind, key)
  return { kind, key }
}
