import { type DeclaredAgent, presentTime } from '@inkling/contract'
import type { AgentIdentity, SignatureCheck } from '../visit/agent-identity.ts'

/** A declared agent in the form of the API. */
export const presentAgent = ({
  standing,
  id,
  name,
  operator,
  category,
  claims,
  proof,
  signature,
}: AgentIdentity): DeclaredAgent => ({
  identity: standing,
  ...(id !== undefined && { id }),
  name,
  ...(operator !== undefined && { operator }),
  ...(category !== undefined && { category }),
  ...(signature?.purpose !== undefined && { purpose: signature.purpose }),
  claims: [...claims],
  ...(proof !== undefined && { proof }),
  ...(signature && { signature: presentSignature(signature) }),
})

const presentSignature = ({
  state,
  reason,
  directory,
  keyId,
  tag,
  components,
  createdAt,
  expiresAt,
}: SignatureCheck): NonNullable<DeclaredAgent['signature']> => ({
  state,
  ...(reason !== undefined && { reason }),
  ...(directory !== undefined && { directory }),
  ...(keyId !== undefined && { key_id: keyId }),
  ...(tag !== undefined && { tag }),
  components: [...components],
  ...(createdAt !== undefined && { created_at: presentTime(createdAt) }),
  ...(expiresAt !== undefined && { expires_at: presentTime(expiresAt) }),
})
