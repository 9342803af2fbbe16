import type { ScoreDetail } from '@inkling/contract'
import type { IdentityDecision, Recorded, ScoreEntry } from '../visit/identification.ts'

/** The part of a verdict that has no column of its own, kept as JSON. */
export interface StoredVerdict {
  entries: ScoreEntry[]
  clear: string[]
  unknown: string[]
  components: string[]
  /** How the device was found; missing where there was nothing to decide. */
  decision?: IdentityDecision | undefined
  /** Which weights it was scored with; missing for those of the release. */
  rules?: number | 'file' | undefined
}

export const storedVerdict = ({ verdict, identity }: Recorded): string =>
  JSON.stringify({
    entries: verdict.entries,
    clear: verdict.clear,
    unknown: verdict.unknown,
    components: identity.components,
    decision: identity.decision,
    rules: verdict.rules,
  } satisfies StoredVerdict)

export const readVerdict = (json: string): StoredVerdict => JSON.parse(json) as StoredVerdict

/** The score's entries as the wire names them: scored ones first, then informational ones. */
export const readScoreDetails = (json: string): ScoreDetail[] =>
  readVerdict(json).entries.map(({ value, description }) => ({ Value: value, Description: description }))
