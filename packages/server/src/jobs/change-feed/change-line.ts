import { type ChangeFeedLine, PERSONAL_COLUMNS, type StoredDecision } from '@inkling/contract'
import { presentRow } from '../../history/present-row.ts'
import { presentStoredDecision } from '../../history/said-of-visit.ts'
import type { LateChange } from '../../store/change-feed/change-feed.ts'
import { decisionKey, identificationKey } from '../../store/change-feed/late-changes.ts'
import type { DecisionRow } from '../../store/decisions/decisions.ts'
import type { IdentificationRow } from '../../store/identifications/identifications.ts'

export interface LineOptions {
  sequence: number
  /** Registered domain. */
  site: string
  /** Whether it may name people. */
  personal: boolean
}

export function identificationLine(
  row: IdentificationRow,
  { sequence, site, personal }: LineOptions,
): ChangeFeedLine {
  const identification = presentRow(row, site)
  return {
    kind: 'identification',
    key: identificationKey(row),
    sequence,
    site,
    identification: personal ? identification : withoutPersonal(identification),
  }
}

const withoutPersonal = <Row extends object>(row: Row): Omit<Row, keyof typeof PERSONAL_COLUMNS> =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !(name in PERSONAL_COLUMNS))) as Omit<
    Row,
    keyof typeof PERSONAL_COLUMNS
  >

export function decisionLine(row: DecisionRow, { sequence, site, personal }: LineOptions): ChangeFeedLine {
  const decision = presentStoredDecision(row)
  return {
    kind: 'decision',
    key: decisionKey(decision.decision_id),
    sequence,
    site,
    decision: personal ? decision : namingNobody(decision),
  }
}

/** The reasons name the accounts and addresses that are on lists, with what was noted of them. */
function namingNobody({ account: _account, reasons: _reasons, changed, ...decision }: StoredDecision) {
  if (changed === null) return { ...decision, changed }
  const { reasons: _later, ...later } = changed
  return { ...decision, changed: later }
}

export const removalLine = ({ key }: LateChange, { sequence, site }: LineOptions): ChangeFeedLine => ({
  kind: 'removal',
  key,
  sequence,
  site,
})
