import type { ScoreDetail } from '@inkling/contract'

/** The entries of a row's score, which travel as JSON text inside a string; what is no entry is left out. */
export function scoreDetails(text: string | undefined): ScoreDetail[] {
  if (!text) return []
  try {
    const entries: unknown = JSON.parse(text)
    return Array.isArray(entries) ? entries.filter(isDetail) : []
  } catch {
    return []
  }
}

function isDetail(entry: unknown): entry is ScoreDetail {
  return (
    typeof entry === 'object' &&
    entry !== null &&
    'Value' in entry &&
    typeof entry.Value === 'number' &&
    'Description' in entry &&
    typeof entry.Description === 'string'
  )
}
