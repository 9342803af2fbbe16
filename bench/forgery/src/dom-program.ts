/**
 * Runs the real agent in an imitation of a browser and prints the request ID once its body was answered. Arguments: the
 * settings as JSON.
 */

export interface DomSettings {
  library: 'jsdom' | 'happy-dom'
  /** The library's own by default. */
  userAgent: string | undefined
  pageUrl: string
  agentUrl: string
  /** Base URL in the script, whose name only browsers of this benchmark know. */
  publicUrl: string
  scriptUrl: string
}

interface Agent {
  forceCheckAnonymous(options: { onInitialized(result: { requestID?: string }): void }): void
}

/** What both libraries' windows have. */
interface DomWindow {
  eval(script: string): unknown
  navigator: { userAgent: string }
  fetch?: typeof fetch
}

const { library, userAgent, pageUrl, agentUrl, publicUrl, scriptUrl } = JSON.parse(
  process.argv[2] ?? '',
) as DomSettings

/** Modules do not run in these libraries, so the forger makes a classic script of the agent. */
async function classicAgent(): Promise<string> {
  const loader = await (await fetch(agentUrl)).text()
  const path = /from\s*"([^"]+)"/.exec(loader)?.[1] ?? ''
  const module = new URL(path, agentUrl)
  const text = (await (await fetch(module)).text()).replaceAll(publicUrl, scriptUrl)
  return text
    .replaceAll('import.meta.url', JSON.stringify(module.href))
    .replace(/export\s*\{([^}]*)\}/, (_, names: string) => {
      const pairs = names.split(',').map((name) => name.trim().split(/\s+as\s+/))
      return `globalThis.agent={${pairs.map(([own, given = own]) => `${JSON.stringify(given)}:${own}`)}}`
    })
}

async function openWindow(): Promise<DomWindow> {
  if (library === 'happy-dom') {
    const { Window } = (await import('happy-dom')) as unknown as {
      Window: new (options: object) => DomWindow
    }
    return new Window({
      url: pageUrl,
      settings: {
        enableJavaScriptEvaluation: true,
        suppressInsecureJavaScriptEnvironmentWarning: true,
        fetch: { disableStrictSSL: true, disableSameOriginPolicy: true },
        ...(userAgent !== undefined && { navigator: { userAgent } }),
      },
    })
  }
  const { JSDOM, ResourceLoader } = (await import('jsdom' as string)) as {
    JSDOM: new (html: string, options: object) => { window: DomWindow }
    ResourceLoader?: new (options: object) => object
  }
  const resources =
    userAgent === undefined ? undefined : ResourceLoader ? new ResourceLoader({ userAgent }) : { userAgent }
  return new JSDOM('<!doctype html><p>Shop</p>', {
    url: pageUrl,
    runScripts: 'outside-only',
    pretendToBeVisual: true,
    ...(resources && { resources }),
  }).window
}

/** Requests of a page say where they come from; those of jsdom are Node's. */
const fetchOf = (window: DomWindow, answered: () => void): typeof fetch => {
  const own = window.fetch?.bind(window) ?? fetch
  return async (input, init = {}) => {
    const headers = {
      origin: new URL(pageUrl).origin,
      referer: pageUrl,
      'user-agent': window.navigator.userAgent,
    }
    const { method, body, cache } = init
    const sent = body as { arrayBuffer?(): Promise<ArrayBuffer> } | string | null | undefined
    const bytes =
      typeof sent === 'object' && sent?.arrayBuffer ? await sent.arrayBuffer() : (sent as BodyInit)
    const answer =
      library === 'jsdom'
        ? await own(input, {
            ...(method && { method }),
            ...(cache && { cache }),
            body: bytes ?? null,
            headers,
          })
        : await own(input, init)
    if (method === 'POST') answered()
    return answer
  }
}

const script = await classicAgent()
const window = await openWindow()
const { promise: posted, resolve: answered } = Promise.withResolvers<void>()
window.fetch = fetchOf(window, answered)
/** What the libraries lack and the agent needs is Node's. */
const LENT = ['crypto', 'TextEncoder', 'TextDecoder', 'performance', 'MessageChannel'] as const
for (const name of LENT)
  if (!(name in window)) Object.defineProperty(window, name, { value: globalThis[name] })
window.eval(script)
const { agent } = window as unknown as { agent: Agent }
const requestId = await new Promise<string | undefined>((resolve) => {
  agent.forceCheckAnonymous({ onInitialized: ({ requestID }) => resolve(requestID) })
})
if (requestId === undefined) throw new Error('the agent was not initialized')
await posted
process.stdout.write(requestId, () => process.exit(0))
