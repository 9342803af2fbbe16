import { readFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { json } from 'node:stream/consumers'
import { HistoryPage, IdentificationScored } from '@inkling/contract'
import type { CustomerSettings, Visit } from './customer.ts'

/** The customer's machine: its shop, its webhook receiver, and its History requests. */

const settings = JSON.parse(process.argv[2] ?? '') as CustomerSettings

/** The script of the shop's page, for the account in the URL. */
const page = `<!doctype html><title>Shop</title><script type="module">
const agent = await import('${settings.agentUrl}/agent.js?publicKey=${settings.publicKey}')
agent.forceCheckAuthenticatedUser(new URLSearchParams(location.search).get('account'))
</script>`

const shop: RequestListener = (_request, response) => {
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page)
}

const ask = async (path: string): Promise<unknown> => {
  const headers = { authorization: `Bearer ${settings.apiKey}` }
  return (await fetch(`${settings.historyUrl}${path}`, { headers })).json()
}

async function visitOf(requestId: string): Promise<Visit> {
  const [row] = HistoryPage.parse(await ask(`/api/v1/history/request_id/${requestId}`)).data
  const explanation = (await ask(`/api/v1/explanation/${requestId}`)) as Visit['explanation']
  if (!row) throw new Error(`no row for ${requestId}`)
  return { row, explanation }
}

const hook: RequestListener = async (request, response) => {
  const { data } = IdentificationScored.parse(await json(request))
  response.writeHead(204).end()
  process.send?.(await visitOf(data.request_id))
}

// A request with a request ID returns the current row of the visit.
process.on('message', async (requestId: string) => process.send?.(await visitOf(requestId)))

const listening = (server: ReturnType<typeof createServer>, port: number, host: string) =>
  new Promise<void>((resolve) => server.listen(port, host, resolve))

await listening(createServer(hook), settings.hookPort, '127.0.0.1')
await listening(createServer(shop), 80, '0.0.0.0')
if (settings.certFile !== undefined && settings.keyFile !== undefined) {
  const tls = { cert: readFileSync(settings.certFile), key: readFileSync(settings.keyFile) }
  await listening(createTlsServer(tls, shop), 443, '0.0.0.0')
}
process.send?.('ready')
