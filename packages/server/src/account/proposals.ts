import { randomBytes } from 'node:crypto'
import { presentTime } from '@inkling/contract'
import {
  type AccountOperation,
  type DomainRight,
  isDomainRight,
  PROPOSABLE,
  PROPOSAL_OPERATIONS,
  type ProposableName,
  type Proposal,
} from '@inkling/contract/account'
import type { AssistantCaller } from '../auth/assistants/tokens.ts'
import { DAY_MS } from '../lib/durations.ts'
import { AppError } from '../lib/errors.ts'
import { UNSEEN } from '../lib/unseen.ts'
import { type ProposalRow, proposalStore } from '../store/assistants/proposals.ts'
import { auditStore, userStore } from '../store/users/users.ts'
import { recordChange } from './audit.ts'
import { admit } from './authorize.ts'
import { caseOperations } from './cases.ts'
import { decisionRuleOperations } from './decision-rules.ts'
import { findDomain } from './domains.ts'
import type { AccountDeps, Handlers, SignedInCaller } from './handler.ts'
import { labelOperations } from './labels.ts'
import { listOperations } from './lists.ts'
import { parseRequest } from './parse-request.ts'
import { type Performable, performable, performFor } from './perform.ts'

/** How long a proposal waits for a person. */
const WAITING_MS = DAY_MS
/** More than this nobody would read. */
const WAITING_MAX = 20
const ID_BYTES = 8

/** What a confirmation runs. */
const PERFORMABLES: Record<ProposableName, Performable> = {
  saveListEntry: performable(PROPOSABLE.saveListEntry, listOperations.saveListEntry),
  saveLabel: performable(PROPOSABLE.saveLabel, labelOperations.saveLabel),
  openCase: performable(PROPOSABLE.openCase, caseOperations.openCase),
  addToCase: performable(PROPOSABLE.addToCase, caseOperations.addToCase),
  decideCase: performable(PROPOSABLE.decideCase, caseOperations.decideCase),
  addDecisionRule: performable(PROPOSABLE.addDecisionRule, decisionRuleOperations.addDecisionRule),
}

/** The audit log names proposals and operations, never what is in them: an erasure could not find that there. */
export const proposalOperations: Handlers<typeof PROPOSAL_OPERATIONS> = {
  listProposals: async ({ params }, { store, now }) => {
    const { id } = await findDomain(store, params.domain)
    const rows = await proposalStore(store.reads).waiting(id, now())
    return { data: rows.map(presentProposal) }
  },

  confirmProposal: async ({ params, caller, http }, deps) => {
    const { store, now } = deps
    const { id: domainId, name: domain } = await findDomain(store, params.domain)
    // Taken first, so that two people cannot both confirm it.
    const taken = await proposalStore(store.writes).take(domainId, params.proposal_id, now())
    if (!taken) throw NO_PROPOSAL()
    const { params: inPath, body } = requestOf(taken)
    try {
      const run = PERFORMABLES[taken.operation as ProposableName]
      await performFor(caller, run, { params: { ...inPath, domain }, body }, deps, http)
    } catch (error) {
      await proposalStore(store.writes).add(taken)
      throw error
    }
    const entry = { actor: caller.email, action: 'proposal.confirm', target: domain }
    await auditStore(store.writes).add({ ...entry, detail: await detailOf(taken, deps) }, now())
  },

  declineProposal: async ({ params, caller }, deps) => {
    const { id, name } = await findDomain(deps.store, params.domain)
    const row = (await proposalStore(deps.store.reads).waiting(id, deps.now())).find(
      (one) => one.id === params.proposal_id,
    )
    if (!row) throw NO_PROPOSAL()
    const detail = await detailOf(row, deps)
    const entry = { actor: caller.email, action: 'proposal.decline', target: name, detail }
    const removed = await recordChange(deps, entry, (transaction) =>
      proposalStore(transaction).take(id, params.proposal_id, deps.now()),
    )
    if (!removed) throw NO_PROPOSAL()
  },
}

const NO_PROPOSAL = () => new AppError('INK_NOT_FOUND', 'no such proposal')

interface ProposalRequest {
  params: Record<string, unknown>
  body: Record<string, unknown>
}

const requestOf = ({ request }: Pick<ProposalRow, 'request'>): ProposalRequest => JSON.parse(request)

async function detailOf(
  { id, operation, client_name, user_id }: ProposalRow,
  { store }: Pick<AccountDeps, 'store'>,
): Promise<Record<string, string>> {
  const user = await userStore(store.reads).find(user_id)
  return { proposal: id, operation, assistant: client_name, for: user?.email ?? '' }
}

function presentProposal(row: ProposalRow & { email: string }): Proposal {
  const operation = row.operation as ProposableName
  const request = requestOf(row)
  return {
    id: row.id,
    operation,
    needs: rightsFor(PROPOSABLE[operation], request.body),
    ...request,
    why: row.why,
    assistant: row.client_name,
    user: row.email,
    created_at: presentTime(row.created_at),
    expires_at: presentTime(row.expires_at),
  }
}

/** Those that a person needs who confirms it. */
const rightsFor = ({ access, fieldAccess }: AccountOperation, body: object): DomainRight[] =>
  [access, ...Object.keys(body).map((field) => fieldAccess?.[field])].filter(
    (needed): needed is DomainRight => needed !== undefined && isDomainRight(needed),
  )

export interface NewProposal extends ProposalRequest {
  operation: ProposableName
  why: string
}

/**
 * Stores what an assistant proposes, if its person may decide about proposals. Nothing else happens until somebody
 * confirms it.
 * @throws AppError without the right, for a request that the operation would refuse, or that a person cannot read
 */
export async function propose(
  { user, clientName, domain }: Omit<AssistantCaller, 'user'> & { user: SignedInCaller },
  { operation, params, body, why }: NewProposal,
  { store, now }: AccountDeps,
): Promise<{ proposal_id: string; expires_at: string }> {
  await admit(store, user, PROPOSAL_OPERATIONS.confirmProposal, { params: { domain: domain.name } })
  const parsed = parseRequest(PROPOSABLE[operation], { params: { ...params, domain: domain.name }, body })
  const request = JSON.stringify({ params, body: parsed.body })
  if ([why, ...textsOf({ params, body })].some(hides))
    throw new AppError('INK_INVALID_FIELD', 'a person could not see all characters of this proposal')
  const nowMs = now()
  const row = {
    domain_id: domain.id,
    id: randomBytes(ID_BYTES).toString('hex'),
    user_id: user.id,
    client_name: clientName,
    operation,
    request,
    why,
    created_at: nowMs,
    expires_at: nowMs + WAITING_MS,
  }
  await store.writes.transaction().execute(async (transaction) => {
    const proposals = proposalStore(transaction)
    await proposals.removeExpired(nowMs)
    if ((await proposals.countOfUser(user.id, nowMs)) >= WAITING_MAX)
      throw new AppError(
        'INK_TOO_MANY_ENTRIES',
        `${WAITING_MAX} proposals wait; a person has to decide first`,
      )
    await proposals.add(row)
    const detail = { proposal: row.id, operation, assistant: clientName }
    const entry = { actor: user.email, action: 'proposal.make', target: domain.name, detail }
    await auditStore(transaction).add(entry, nowMs)
  })
  return { proposal_id: row.id, expires_at: presentTime(row.expires_at) }
}

/** Line breaks of a note can be seen. */
const hides = (text: string): boolean => text.replaceAll('\n', '').search(UNSEEN) !== -1

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, item]) => [name, ...textsOf(item)])
}
