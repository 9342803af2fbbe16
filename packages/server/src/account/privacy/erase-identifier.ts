import { identifierLookup } from '../../store/identifications/lookup.ts'
import { erase } from '../../store/identifications/remove-identifications.ts'
import { auditStore } from '../../store/users/audit.ts'
import { findDomain } from '../find-domain.ts'
import type { Handler } from '../handler.ts'

export const eraseIdentifier: Handler<'eraseIdentifier'> = async (
  { params, body, caller },
  { store, now },
) => {
  const { id, name } = await findDomain(store, params.domain)
  const rows = await erase(store, id, body, identifierLookup(body.type, body.value))
  // Not the value: the record of an erasure must not bring it back.
  const detail = { type: body.type, rows }
  const entry = { actor: caller.email, action: 'privacy.erase', target: name, detail }
  await auditStore(store.writes).add(entry, now())
  return { rows }
}
