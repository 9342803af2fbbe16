import { setTimeout as sleep } from 'node:timers/promises'

const TRIES = 10
const PAUSE_MS = 200

type Row = Record<string, unknown>

/**
 * Whether two nodes, of two releases, show the same row for a request ID, in the fields that both know. Later evidence may
 * change a row between the two answers, so an unlike row is asked for again.
 */
export async function isAlike(ports: readonly number[], apiKey: string, requestId: string): Promise<boolean> {
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const [first, ...others] = await Promise.all(ports.map((port) => rowOf(port, apiKey, requestId)))
    if (first && others.every((other) => other && sameFields(first, other))) return true
    await sleep(PAUSE_MS)
  }
  return false
}

async function rowOf(port: number, apiKey: string, requestId: string): Promise<Row | undefined> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/history/request_id/${requestId}`, {
    headers: { authorization: `Bearer ${apiKey}` },
  })
  if (answer.status !== 200) throw new Error(`History answered ${answer.status}`)
  const { data } = (await answer.json()) as { data: Row[] }
  return data.length === 1 ? data[0] : undefined
}

const sameFields = (one: Row, other: Row): boolean =>
  Object.keys(one)
    .filter((field) => field in other)
    .every((field) => JSON.stringify(one[field]) === JSON.stringify(other[field]))
