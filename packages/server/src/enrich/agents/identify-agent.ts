import { LRUCache } from 'lru-cache'
import { parseAddress } from '../../lib/address.ts'
import { isPublicAddress } from '../../lib/address-scope.ts'
import type { AgentIdentity, AgentProof, SignatureCheck, SignedRequest } from '../../visit/agent-identity.ts'
import { crawlerName } from '../crawlers/known-crawlers.ts'
import type { AgentCatalogue, CatalogueAgent } from './catalogue.ts'
import type { KeyDirectories } from './key-directories.ts'
import type { CheckSignature, Sent } from './web-bot-auth.ts'

/** What a request shows of who sends it. */
export interface AgentClaim extends Sent {
  userAgent: string
  /** Undefined for a request without a signature. */
  signed: SignedRequest | undefined
}

/** What an address says about a claimed name. `refuted` only where the operator names every address. */
export type AddressProof = Exclude<AgentProof, 'signature'> | 'pending' | 'refuted' | undefined

export interface AgentsOptions {
  catalogue: AgentCatalogue
  checkSignature: CheckSignature
  directories: KeyDirectories
  /** What the address says of the name under which feeds and crawlers are known. Uses memory only. */
  proveAddress(name: string, claim: AgentClaim): AddressProof
  /** Resolves once DNS has been asked. */
  settleAddress(claim: AgentClaim): Promise<unknown>
}

export interface Agents {
  catalogue: AgentCatalogue
  /** Who sent the request, if it says that it is a program. Uses memory only. */
  identify(claim: AgentClaim): AgentIdentity | undefined
  /**
   * Resolves once more can be known; undefined when there is nothing to wait for.
   * @param identity as it is known now
   */
  settled(claim: AgentClaim, identity: AgentIdentity | undefined): Promise<unknown> | undefined
}

const USER_AGENTS_MAX = 2_000

/** Looks at the signature first, then at the address. A claim that nothing supports or refutes is `unknown`. */
export function createAgents(options: AgentsOptions): Agents {
  const { catalogue, checkSignature, directories, proveAddress, settleAddress } = options
  // A few user agents make most visits, and matching all patterns takes a while.
  const named = new LRUCache<string, { agent: CatalogueAgent | undefined; name: string | undefined }>({
    max: USER_AGENTS_MAX,
  })

  function claimed(userAgent: string) {
    const known = named.get(userAgent)
    if (known) return known
    const agent = catalogue.byUserAgent(userAgent)
    const found = { agent, name: agent?.name ?? crawlerName(userAgent) }
    named.set(userAgent, found)
    return found
  }

  const addressProof = (agent: CatalogueAgent | undefined, claim: AgentClaim): AddressProof => {
    const proof = agent?.addresses === undefined ? undefined : proveAddress(agent.addresses, claim)
    if (proof !== 'refuted') return proof
    return agent?.refutable && isPublic(claim.address) ? proof : undefined
  }

  function identify(claim: AgentClaim): AgentIdentity | undefined {
    const signature = claim.signed && checkSignature(claim.signed, claim)
    const { agent: byName, name } = claimed(claim.userAgent)
    if (!signature && name === undefined) return undefined
    const bySignature =
      signature?.directory === undefined ? undefined : catalogue.byDirectory(signature.directory)
    const isSigned = signature?.state === 'valid'
    const agent = isSigned ? bySignature : (byName ?? bySignature)
    const address = isSigned ? undefined : addressProof(byName, claim)
    const proof = isSigned
      ? 'signature'
      : address === 'published_range' || address === 'reverse_dns'
        ? address
        : undefined
    return {
      standing: standingOf({ isSigned, isKnown: agent !== undefined, proof, address, signature }),
      ...(agent && { id: agent.id, operator: agent.operator, category: agent.category }),
      name:
        agent?.name ??
        (isSigned ? hostOf(signature) : undefined) ??
        name ??
        hostOf(signature) ??
        'Unnamed agent',
      claims: [
        ...(name === undefined ? [] : [{ by: 'user_agent' as const, value: name }]),
        ...(signature?.directory === undefined
          ? []
          : [{ by: 'signature' as const, value: signature.directory }]),
      ],
      ...(proof && { proof }),
      ...(signature && { signature }),
    }
  }

  return {
    catalogue,
    identify,
    settled(claim, identity) {
      const { signature } = identity ?? {}
      const waits: Promise<unknown>[] = []
      if (signature?.state === 'pending' && signature.directory !== undefined)
        waits.push(directories.settled(signature.directory))
      if (
        identity?.standing === 'unknown' &&
        addressProof(claimed(claim.userAgent).agent, claim) === 'pending'
      )
        waits.push(settleAddress(claim))
      return waits.length === 0 ? undefined : Promise.all(waits)
    },
  }
}

interface Found {
  isSigned: boolean
  isKnown: boolean
  proof: AgentProof | undefined
  address: AddressProof
  signature: SignatureCheck | undefined
}

function standingOf({ isSigned, isKnown, proof, address, signature }: Found): AgentIdentity['standing'] {
  if (isSigned) return isKnown ? 'verified' : 'signed'
  if (proof) return 'verified'
  // A signature that does not fit may be honest: a proxy in between may have changed what it covers. So it refutes
  // nothing by itself.
  if (address === 'refuted' && signature?.state !== 'pending') return 'spoofed'
  return 'unknown'
}

const hostOf = (signature: SignatureCheck | undefined): string | undefined =>
  signature?.directory === undefined ? undefined : URL.parse(signature.directory)?.hostname

function isPublic(text: string): boolean {
  const address = parseAddress(text)
  return address !== undefined && isPublicAddress(address)
}
