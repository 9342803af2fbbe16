import { presentTime } from '@inkling/contract'
import {
  type ASSISTANT_OPERATIONS,
  ASSISTANT_SCOPES,
  type ConnectedAssistant,
} from '@inkling/contract/account'
import { redirectTarget } from '../auth/assistants/redirect-uris.ts'
import { allowAssistant, checkRequest, mcpUrl, redirectWith } from '../auth/assistants/requests.ts'
import { AppError } from '../lib/errors.ts'
import { type AssistantGrantRow, assistantGrantStore } from '../store/assistants/grants.ts'
import { type DomainRow, domainStore } from '../store/domains/domains.ts'
import { recordChange } from './audit.ts'
import { admit } from './authorize.ts'
import { findDomain } from './domains.ts'
import type { Handlers } from './handler.ts'

/** What an assistant would read: the least that its person has to be allowed. */
const READS_VISITS = { access: 'visits:read', path: '/account/domains/{domain}' } as const

/** What users allow assistants. The assistants themselves talk to `assistants/`. */
export const assistantOperations: Handlers<typeof ASSISTANT_OPERATIONS> = {
  listAssistants: async ({ caller }, { store, baseUrl, now }) => ({
    url: mcpUrl(baseUrl),
    data: (await assistantGrantStore(store.reads).listOfUser(caller.id, now())).map(presentAssistant),
  }),

  readAssistantRequest: async ({ body }, { store, baseUrl, now }) => {
    const { client, scopes } = await checkRequest(store, body, { baseUrl, nowMs: now() })
    const { sentTo, onThisMachine } = redirectTarget(body.redirect_uri)
    return { name: client.name, sent_to: sentTo, on_this_machine: onThisMachine, scopes }
  },

  answerAssistant: async ({ body: { request, allow }, caller }, { store, baseUrl, now }) => {
    const { client, scopes: asked } = await checkRequest(store, request, { baseUrl, nowMs: now() })
    if (allow === null) return { redirect_to: redirectWith(request, { error: 'access_denied' }, baseUrl) }
    if (allow.scopes.some((scope) => !asked.includes(scope)))
      throw new AppError('INK_INVALID_FIELD', 'allow.scopes: more than the assistant asks for')
    // The domain is in the body here.
    await admit(store, caller, READS_VISITS, { params: { domain: allow.domain } })
    const { id, name } = await findDomain(store, allow.domain)
    const allowed = { user: caller, domain: { id, name }, scopes: [...new Set(allow.scopes)] }
    const code = await allowAssistant(store, { client, request }, allowed, now())
    return { redirect_to: redirectWith(request, { code }, baseUrl) }
  },

  disconnectAssistant: async ({ params, caller }, deps) => {
    const removed = await recordChange(
      deps,
      ({ grant, domain }: { grant: AssistantGrantRow; domain: DomainRow }) => {
        const detail = { assistant: grant.id, name: grant.client_name }
        return { actor: caller.email, action: 'assistant.disconnect', target: domain.name, detail }
      },
      async (transaction) => {
        const grant = await assistantGrantStore(transaction).removeOwn(params.assistant_id, caller.id)
        const domain = grant && (await domainStore(transaction).findById(grant.domain_id))
        return domain && { grant, domain }
      },
    )
    if (!removed) throw new AppError('INK_NOT_FOUND', 'no such assistant')
  },
}

const presentAssistant = (row: AssistantGrantRow & { domain: string }): ConnectedAssistant => ({
  id: row.id,
  name: row.client_name,
  domain: row.domain,
  scopes: ASSISTANT_SCOPES.filter((scope) => row.scopes.split(' ').includes(scope)),
  connected_at: presentTime(row.created_at),
  used_at: row.used_at === null ? null : presentTime(row.used_at),
  expires_at: presentTime(row.expires_at),
})
