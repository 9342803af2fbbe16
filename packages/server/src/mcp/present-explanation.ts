import type { ExplainedEntry, Explanation } from '@inkling/contract'

/** The parts of an explanation, each under a name that says what it is. */
export function presentExplanation(explanation: Explanation): object {
  const { request_id, score, entries, clear, unknown, network, identity } = explanation
  const suppressed = entries.filter((entry) => entry.suppressed_by !== undefined)
  const counted = entries.filter((entry) => entry.suppressed_by === undefined)
  return {
    request_id,
    score,
    counted: counted.map(presentEntry),
    suppressed: suppressed.map((entry) => ({ ...presentEntry(entry), suppressed_by: entry.suppressed_by })),
    checked_and_fine: clear,
    unknown_for_missing_facts: unknown,
    network: network ?? 'no snapshot of this identification is kept',
    identity,
  }
}

const presentEntry = ({ name, title, value, weight, evidence }: ExplainedEntry): object => ({
  name,
  title,
  points: value,
  weight,
  evidence,
})
