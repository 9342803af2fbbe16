/** A shop's service worker that answers everything it has seen from its cache, as offline shops do. */

const worker = self as unknown as {
  addEventListener(name: string, on: (event: WorkerEvent) => void): void
  skipWaiting(): Promise<void>
  clients: { claim(): Promise<void> }
}

interface WorkerEvent {
  request: Request
  waitUntil(work: Promise<unknown>): void
  respondWith(answer: Promise<Response>): void
}

worker.addEventListener('install', (event) => event.waitUntil(worker.skipWaiting()))
worker.addEventListener('activate', (event) => event.waitUntil(worker.clients.claim()))
worker.addEventListener('fetch', (event) => {
  if (event.request.url.includes('/notes/')) return
  event.respondWith(answered(event.request))
})

async function answered(request: Request): Promise<Response> {
  if (request.method !== 'GET') return fetch(request)
  const cache = await caches.open('shop')
  const known = await cache.match(request)
  if (known) return known
  const answer = await fetch(request)
  await cache.put(request, answer.clone())
  return answer
}
