import type { Service } from './start-service.ts'

export interface SignalHit {
  name: string
  description: string
  points: number
  evidence: unknown
}

/** Inkling's verdict on a request, read like in a customer's backend. */
export interface InklingVerdict {
  requestId: string
  score: number
  automation: boolean
  antidetect: boolean
  incognito: boolean
  checkIncomplete: boolean
  javascriptDisabled: boolean
  hits: SignalHit[]
  /** Signals without the facts they need. */
  unknown: string[]
}

interface HistoryRow {
  score: number
  is_browser_automation: boolean
  is_antidetect: boolean
  is_incognito: boolean
  check_incomplete: boolean
  is_js_disabled: boolean
}

interface Explanation {
  entries: { name: string; description: string; value: number; evidence: unknown }[]
  unknown: string[]
}

export async function readVerdict({ port, keys }: Service, requestId: string): Promise<InklingVerdict> {
  const ask = async <Answer>(path: string): Promise<Answer> => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/${path}/${requestId}`, {
      headers: { authorization: `Bearer ${keys.api_key}` },
    })
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`)
    return (await answer.json()) as Answer
  }
  const { data } = await ask<{ data: HistoryRow[] }>('history/request_id')
  const [row] = data
  if (!row) throw new Error('History has no such row')
  const { entries, unknown } = await ask<Explanation>('explanation')
  return {
    requestId,
    score: row.score,
    automation: row.is_browser_automation,
    antidetect: row.is_antidetect,
    incognito: row.is_incognito,
    checkIncomplete: row.check_incomplete,
    javascriptDisabled: row.is_js_disabled,
    hits: entries.map(({ name, description, value, evidence }) => ({
      name,
      description,
      points: value,
      evidence,
    })),
    unknown,
  }
}
