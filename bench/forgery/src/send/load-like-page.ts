import type { Attempt, Captured } from '../attempt.ts'
import { withHeaders } from '../forge.ts'
import { nodeHttps } from './node-clients.ts'

/** Loads the agent as a page does, its module too. */
export async function loadLikePage({ installation, publicKey }: Attempt, captured: Captured): Promise<void> {
  const headers = withHeaders(
    captured.headers.filter(([name]) => !/^content-/i.test(name)),
    { 'Sec-Fetch-Dest': 'script' },
  )
  const load = (url: string) => nodeHttps({ method: 'GET', url, headers })
  const loader = `${installation.scriptUrl}/agent.js?publicKey=${publicKey}`
  const { text } = await load(loader)
  await load(new URL(text.split('"')[1] ?? '', loader).href)
}
