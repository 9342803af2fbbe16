import { askJson } from './ask.ts'
import type { Installation } from './installation.ts'

export interface Entry {
  name: string
  description: string
  points: number
  evidence: unknown
}

/** What the customer reads about a visit. */
export interface Verdict {
  requestId: string
  deviceId: string
  score: number
  /** Names of the flags that are raised. */
  flags: string[]
  entries: Entry[]
  /** Signals without the facts they need. */
  unknown: string[]
  /** How it was linked to its device. */
  linked: unknown
  /** How much of what could be known was known and proven, 0 to 1; not in every release. */
  coverage?: number
}

interface Row extends Record<string, unknown> {
  score: number
  device_id: string
}

interface Explained {
  entries: { name: string; description: string; value: number; evidence: unknown }[]
  unknown: string[]
  identity?: unknown
  evidence?: unknown
}

export async function readVerdict(
  { ownUrl, keysOf }: Installation,
  domain: string,
  requestId: string,
): Promise<Verdict> {
  const headers = { authorization: `Bearer ${keysOf(domain).api_key}` }
  const { data } = await askJson<{ data: Row[] }>(`${ownUrl}/api/v1/history/request_id/${requestId}`, headers)
  const [row] = data
  if (!row) throw new Error('History has no such row')
  const explained = await askJson<Explained>(`${ownUrl}/api/v1/explanation/${requestId}`, headers)
  const coverage = coverageOf(explained.evidence)
  return {
    requestId,
    deviceId: row.device_id,
    score: row.score,
    flags: Object.keys(row).filter((name) => row[name] === true),
    entries: explained.entries.map(({ name, description, value, evidence }) => ({
      name,
      description,
      points: value,
      evidence,
    })),
    unknown: explained.unknown,
    linked: explained.identity,
    ...(coverage !== undefined && { coverage }),
  }
}

/** A number, or an object with it as `share`. */
function coverageOf(evidence: unknown): number | undefined {
  if (typeof evidence === 'number') return evidence
  const share = (evidence as { share?: unknown } | undefined)?.share
  return typeof share === 'number' ? share : undefined
}
