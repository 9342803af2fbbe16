import { keyTail, newSigningSecret } from '../../auth/keys.ts'
import { endpointStore } from '../../store/domains/domains.ts'
import { change } from '../change.ts'
import { findEndpoint, NO_ENDPOINT } from '../find-domain.ts'
import type { Handler } from '../handler.ts'

export const rotateSecret: Handler<'rotateSecret'> = async ({ params, caller }, deps) => {
  const { domain, endpoint } = await findEndpoint(deps.store, params)
  const old = deps.secrets.open(endpoint.sealed_secret)
  const secret = newSigningSecret()
  const detail = { endpoint: endpoint.id }
  const entry = { actor: caller.email, action: 'endpoint.rotate_secret', target: domain.name, detail }
  const changed = await change(deps, entry, (transaction) =>
    endpointStore(transaction).change(domain.id, endpoint.id, { sealed_secret: deps.secrets.seal(secret) }),
  )
  if (!changed) throw NO_ENDPOINT()
  return { id: endpoint.id, secret, replaced: masked(old) }
}

const masked = (secret: string): string => keyTail(secret).padStart(secret.length, '*')
