interface HistoryPage {
  data: { request_id?: unknown; score?: unknown }[]
  total: number
}

/** Number of rows that the History API returns for a request ID. */
export async function findRow(port: number, apiKey: string, requestId: string): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/history/request_id/${requestId}`, {
    headers: { authorization: `Bearer ${apiKey}` },
  })
  const text = await answer.text()
  if (answer.status !== 200) throw new Error(`History answered ${answer.status}: ${text.slice(0, 200)}`)
  const { data, total } = JSON.parse(text) as HistoryPage
  const scored = data.filter((row) => row.request_id === requestId && typeof row.score === 'number')
  if (scored.length !== total) throw new Error(`History has ${total} rows, ${scored.length} of them scored`)
  return total
}
