import { domainName, newDomain } from '../../auth/register-domain.ts'
import { AppError } from '../../lib/errors.ts'
import { domainStore } from '../../store/domains/domains.ts'
import { change } from '../change.ts'
import type { Handler } from '../handler.ts'

export const addDomain: Handler<'addDomain'> = async ({ body, caller }, deps) => {
  const name = domainName(body.domain)
  if (name === undefined)
    throw new AppError('INK_INVALID_FIELD', 'domain: a name in lower case, without scheme, path or www.')
  const { row, keys } = newDomain(name, deps.now())
  const entry = { actor: caller.email, action: 'domain.add', target: name }
  const added = await change(deps, entry, (transaction) => domainStore(transaction).add(row))
  if (!added) throw new AppError('INK_DOMAIN_EXISTS')
  return keys
}
