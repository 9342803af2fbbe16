import { presentTime } from '@inkling/contract'
import type { AGENT_OPERATIONS, AgentPolicy, KnownAgent } from '@inkling/contract/account'
import type { CatalogueAgent } from '../enrich/agents/catalogue.ts'
import { agentPolicyStore, readAgentRules } from '../store/domains/agent-policies.ts'
import { recordChange } from './audit.ts'
import { findDomain } from './domains.ts'
import type { AccountDeps, Handlers } from './handler.ts'

export const agentOperations: Handlers<typeof AGENT_OPERATIONS> = {
  getAgentPolicy: async ({ params }, deps) =>
    presentPolicy(deps, (await findDomain(deps.store, params.domain)).id),

  saveAgentPolicy: async ({ params, body, caller }, deps) => {
    const { id, name } = await findDomain(deps.store, params.domain)
    const detail = { rules: JSON.stringify(body.rules), note: body.note }
    const entry = { actor: caller.email, action: 'agents.save', target: name, detail }
    await recordChange(deps, entry, (transaction) =>
      agentPolicyStore(transaction).save(id, { ...body, actor: caller.email }, deps.now()),
    )
    return presentPolicy(deps, id)
  },
}

async function presentPolicy(
  { store, agentCatalogue }: Pick<AccountDeps, 'store' | 'agentCatalogue'>,
  domainId: number,
): Promise<AgentPolicy> {
  const rows = await agentPolicyStore(store.reads).list(domainId)
  const active = rows.find((row) => row.active === 1)
  return {
    rules: active ? readAgentRules(active) : [],
    versions: rows.map((row) => ({
      version: row.version,
      saved_at: presentTime(row.created_at),
      actor: row.actor,
      note: row.note,
      rules: readAgentRules(row),
    })),
    agents: agentCatalogue.agents.map(presentKnown),
  }
}

const presentKnown = ({
  id,
  name,
  operator,
  category,
  purpose,
  directories,
  addresses,
  source,
  read,
}: CatalogueAgent): KnownAgent => ({
  id,
  name,
  operator,
  category,
  purpose,
  proofs: [...(directories.length > 0 ? ['signature'] : []), ...(addresses === undefined ? [] : ['address'])],
  source,
  read: read ?? null,
})
