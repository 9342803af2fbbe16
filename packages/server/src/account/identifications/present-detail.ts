import { bandOf } from '@inkling/contract'
import type { IdentificationDetail, IdentificationVersion } from '@inkling/contract/account'
import { presentExplanation } from '../../history/present-explanation.ts'
import { presentRow } from '../../history/present-row.ts'
import { bitsToFlags } from '../../lib/flag-bits.ts'
import { readVerdict } from '../../store/identifications/identification-row.ts'
import type {
  IdentificationParts,
  IdentificationRow,
  VersionRow,
} from '../../store/identifications/identifications.ts'
import type { NetworkEvidence } from '../../visit/network-evidence.ts'
import { presentDelivery } from '../deliveries/present-delivery.ts'
import { presentTime } from '../present-time.ts'

export function presentDetail(
  row: IdentificationRow,
  siteDomain: string,
  { versions, snapshot, deliveries, pending }: IdentificationParts,
): IdentificationDetail {
  const received = snapshot === undefined ? undefined : (JSON.parse(snapshot) as Received)
  return {
    row: presentRow(row, siteDomain),
    band: bandOf(row.score),
    explanation: presentExplanation(row, received?.network),
    versions: [...versions, row].map((version) => presentVersion(row, version)),
    snapshot: received ? { ...received } : null,
    deliveries: deliveries.map(presentDelivery),
    pending: pending.map(({ endpoint_id, attempts, due_at, body }) => ({
      endpoint_id,
      attempts,
      due_at: presentTime(due_at),
      body: Buffer.from(body).toString(),
    })),
  }
}

/** A snapshot as `snapshotOf` writes it. */
interface Received {
  network?: NetworkEvidence
}

type Version = Pick<VersionRow, 'ver' | 'score' | 'flags' | 'connection_type' | 'verdict'>

function presentVersion(
  row: IdentificationRow,
  { ver, score, flags, connection_type, verdict }: Version,
): IdentificationVersion {
  const { entries, clear, unknown } = presentExplanation({ ...row, score, verdict }, undefined)
  const rules = readVerdict(verdict).rules ?? null
  return { ver, score, connection_type, rules, flags: raised(flags), entries, clear, unknown }
}

const raised = (bits: number): string[] =>
  Object.entries(bitsToFlags(bits)).flatMap(([flag, isRaised]) => (isRaised ? [flag] : []))
