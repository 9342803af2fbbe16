/** Takes the bodies of the agent's visits. The script that it serves encrypts nothing. */

interface WorkerEvent {
  request: Request
  waitUntil(work: Promise<unknown>): void
  respondWith(answer: Promise<Response>): void
}

const own = self as unknown as {
  location: Location
  addEventListener(name: string, on: (event: WorkerEvent) => void): void
  skipWaiting(): Promise<void>
  clients: { claim(): Promise<void> }
}
const settings = new URLSearchParams(own.location.search)
const notes = `/visits/${settings.get('visit')}/notes/`

own.addEventListener('install', (event) => event.waitUntil(own.skipWaiting()))
own.addEventListener('activate', (event) => event.waitUntil(own.clients.claim()))
own.addEventListener('fetch', (event) => {
  const { pathname } = new URL(event.request.url)
  if (/\/agent\/[^/]+\.js$/.test(pathname)) event.respondWith(opened(event.request))
  const requestId = /\/snapshot\/([0-9a-f-]{36})$/.exec(pathname)?.[1]
  if (requestId !== undefined && event.request.method === 'POST')
    event.respondWith(taken(event.request, requestId))
})

async function opened(request: Request): Promise<Response> {
  const script = await (await fetch(request.url)).text()
  const patched = script
    .replace(/"serverKey":"[^"]*",?/, '')
    // Firefox shows no worker the requests that outlive their page.
    .replaceAll('keepalive:', 'keepalive:!1&&')
  return new Response(patched, { headers: { 'content-type': 'text/javascript' } })
}

async function taken(request: Request, requestId: string): Promise<Response> {
  const body = await request.clone().text()
  const sent = settings.has('withhold') ? Response.json('127.0.0.1') : await fetch(request)
  const note = JSON.stringify({ requestId, body })
  await fetch(`${notes}captured-${requestId}`, { method: 'POST', body: note })
  return sent
}
