/** Runs in the page of a visit. The address says what the visitor does there. */

interface Agent {
  forceCheckAnonymous(options: { onInitialized(result: { requestID?: string }): void }): void
}

const query = new URLSearchParams(location.search)
const visit = query.get('visit') ?? ''
const agentUrl = query.get('agent') ?? ''
const act = query.get('act') ?? 'check'
const times = Number(query.get('times') ?? '1')

/** Notes go to the page's own host, in the first form that works while a page is left. */
const note = (name: string, value: unknown): Promise<unknown> =>
  fetch(`/visits/${visit}/notes/${name}`, { method: 'POST', body: JSON.stringify(value), keepalive: true })
/** Resolves when the benchmark has left this note. */
const told = (name: string): Promise<unknown> => fetch(`/visits/${visit}/notes/${name}`)

const check = (agent: Agent): Promise<string> =>
  new Promise((resolve, reject) => {
    agent.forceCheckAnonymous({
      onInitialized: ({ requestID }) =>
        requestID === undefined ? reject(new Error('the agent was not initialized')) : resolve(requestID),
    })
  })

/** A thief's browser gets what was stolen before the agent looks for it. */
function plant(): void {
  for (const part of query.getAll('cookie')) writeCookie(`${part}; path=/; max-age=86400; secure`)
  for (const part of query.getAll('local')) {
    const at = part.indexOf('=')
    localStorage.setItem(part.slice(0, at), part.slice(at + 1))
  }
}

function writeCookie(text: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the agent reads it at once
  document.cookie = text
}

/** What a thief copies. */
const kept = () => ({ cookie: document.cookie, local: { ...readable(() => localStorage) } })

function readable<Value>(read: () => Value): Value | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

async function registered(script: string): Promise<void> {
  await navigator.serviceWorker.register(script, { scope: '/' })
  await navigator.serviceWorker.ready
  if (navigator.serviceWorker.controller) return
  await new Promise((resolve) => navigator.serviceWorker.addEventListener('controllerchange', resolve))
}

/** Resolves when the verdict on a request is final, so that the next one finds it. */
const settled = (requestId: string): Promise<unknown> => fetch(`/visits/${requestId}/notes/final`)

const BETWEEN_MS = 400

async function visitPage(): Promise<void> {
  plant()
  if (act === 'worker') await registered('/caching-worker.js')
  const agent: Agent = await import(agentUrl)
  if (act === 'later') {
    await note('ready', true)
    await told('go')
  }
  const requestId = await check(agent)
  if (act === 'leave') {
    void note('checked', { requestId })
    location.href = '/left'
    return
  }
  if (act === 'check' || act === 'later') {
    for (let left = times; left > 1; left--) {
      await new Promise((resolve) => setTimeout(resolve, BETWEEN_MS))
      await check(agent)
    }
    return void (await note('checked', { requestId }))
  }
  await settled(requestId)
  if (act === 'keep') return void (await note('checked', { requestId, kept: kept() }))
  // A browser that did not keep the page loads it anew.
  if (act === 'return' && firstTime('left')) return leaveAndReturn(agent)
  if (act === 'reload' && firstTime('reloaded')) return location.reload()
  if (act === 'forget') await forget()
  const isNew = act === 'reload' || act === 'return'
  await note('checked', { requestId: isNew ? requestId : await check(agent) })
}

function firstTime(name: string): boolean {
  const known = sessionStorage.getItem(name)
  sessionStorage.setItem(name, 'yes')
  return known === null
}

function leaveAndReturn(agent: Agent): void {
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) check(agent).then((requestId) => note('checked', { requestId }), fail)
  })
  location.href = '/left?back'
}

/** What an extension or a visitor clears, leaving the cookie. */
async function forget(): Promise<void> {
  if (query.has('keepCookie')) {
    localStorage.clear()
    for (const { name } of await indexedDB.databases()) if (name !== undefined) indexedDB.deleteDatabase(name)
  } else {
    for (const pair of document.cookie.split('; ')) writeCookie(`${pair.split('=')[0]}=; path=/; max-age=0`)
  }
}

const fail = (error: unknown): void => void note('failed', { message: String(error) })

visitPage().catch(fail)
