import { randomUUID } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Display } from '../../detection/src/configuration.ts'
import { type BrowserOptions, type Engine, openBrowser } from './browser.ts'
import type { Installation } from './installation.ts'
import { finalVerdict, type Site } from './site.ts'
import { readVerdict, type Verdict } from './verdict.ts'

export interface AddressOptions {
  /** Parameters of `page/visit.ts`. */
  query?: readonly (readonly [name: string, value: string])[]
  /** Base URL of the page; the shop's over HTTPS by default. */
  origin?: string
  path?: string
  /** Where the page gets the agent from. */
  agentUrl?: string
  /** Another page that shows this one in a frame. */
  frameOrigin?: string
}

export interface PageOptions extends AddressOptions, Pick<BrowserOptions, 'args' | 'prefs'> {
  engine: Engine
  display?: Display
  /** Keeps a profile between visits; a new one by default. */
  profile?: string
}

export interface Address {
  url: string
  /** Another page of the site, as a starting point. It leaves the note `started`. */
  startUrl: string
  /** Resolves when the page has left this note; rejects when it failed. */
  note<Value>(name: string): Promise<Value>
}

/** A page that is open in a browser. */
export interface OpenPage extends Pick<Address, 'note'> {
  /** Leaves a note for the page. */
  tell(name: string): void
  close(): Promise<void>
}

/** A body as the agent made it, with what a browser sends beside it. */
export interface Captured {
  requestId: string
  body: string
  /** Names and values in the browser's order, without those that differ between requests. */
  headers: (readonly [name: string, value: string])[]
}

export interface CaptureOptions {
  times?: number
  withhold?: boolean
  args?: readonly string[]
}

/** What one run of a case works with. */
export interface Attempt {
  installation: Installation
  site: Site
  /** A new folder of this run. */
  folder: string
  domain: string
  publicKey: string
  agentUrl: string
  /** Moves the visitor to another network. */
  move(): void
  showScreen(kind: Display): Promise<void>
  /** A page that nobody has opened yet. */
  address(options?: AddressOptions): Address
  open(options: PageOptions): Promise<OpenPage>
  /** Opens a page, waits for the agent's check, and closes it when the verdict is final. */
  visit(options: PageOptions): Promise<string>
  /** Bodies that the real agent makes in a real browser. `withhold`: that no server has seen yet. */
  capture(engine: Engine, options?: CaptureOptions): Promise<[Captured, ...Captured[]]>
  /** Resolves when the verdict on a request is final. */
  final(requestId: string): Promise<unknown>
  verdict(requestId: string): Promise<Verdict>
  /** Adds a line to the result of the run. */
  remark(text: string): void
}

export interface AttemptOptions {
  installation: Installation
  site: Site
  folder: string
  domain: string
  /** Unlike that of any other run. */
  number: number
  /** Makes sure that there is a screen. */
  showScreen(kind: Display): Promise<void>
  remark(text: string): void
}

export function startAttempt(options: AttemptOptions): Attempt {
  const { installation, site, folder, domain, number, showScreen, remark } = options
  const { board } = site
  const publicKey = installation.keysOf(domain).public_key
  const { forwarder } = installation
  // Neighbours in a /24 are one network, so each run has a network of its own, and each move leads to another.
  const network = (part: number): string => `127.${part}.${number % 250}.${1 + Math.floor(number / 250)}`
  let part = 10
  forwarder.address = network(part)
  forwarder.mode = 'open'

  const agentUrlOf = (url: string): string => `${url}/agent.js?publicKey=${publicKey}`

  function address({
    query = [],
    origin = site.origin,
    path = '/visit',
    agentUrl = agentUrlOf(installation.url),
    frameOrigin,
  }: AddressOptions = {}): Address & { id: string } {
    const id = randomUUID()
    const page = new URL(path, origin)
    for (const [name, value] of [['visit', id], ['agent', agentUrl], ...query] as const)
      page.searchParams.append(name, value)
    const failed = board.wait(id, 'failed').then((note) => Promise.reject(new Error(JSON.stringify(note))))
    failed.catch(() => undefined)
    return {
      id,
      url: frameOrigin ? `${frameOrigin}/frame?of=${encodeURIComponent(page.href)}` : page.href,
      startUrl: `${origin}/start?visit=${id}`,
      note: <Value>(name: string) => Promise.race([board.wait(id, name), failed]) as Promise<Value>,
    }
  }

  async function open(options: PageOptions): Promise<OpenPage> {
    const {
      engine,
      display = 'desktop',
      profile = join(folder, randomUUID()),
      args = [],
      prefs = {},
    } = options
    await showScreen(display)
    const { id, url, note } = address(options)
    await mkdir(profile, { recursive: true })
    const { close } = await openBrowser({ engine, profile, args, prefs, url })
    return { note, tell: (name) => board.post(id, name, true), close }
  }

  return {
    installation,
    site,
    folder,
    domain,
    publicKey,
    agentUrl: agentUrlOf(installation.url),
    move() {
      part += 1
      forwarder.address = network(part)
    },
    showScreen,
    address,
    open,
    async visit(options) {
      const page = await open(options)
      const { requestId } = await page.note<{ requestId: string }>('checked')
      await finalVerdict(board, requestId)
      await page.close()
      return requestId
    },
    async capture(engine, { times = 1, withhold = false, args = [] } = {}) {
      const page = await open({
        engine,
        args,
        path: '/capture',
        query: [
          ['mirror', `${site.originOf('news.example')}/mirror`],
          ['times', String(times)],
          ...(withhold ? ([['withhold', 'yes']] as const) : []),
        ],
      })
      const raw = await page.note<string[]>('headers')
      const captured = await page.note<Omit<Captured, 'headers'>[]>('bodies')
      await page.close()
      const headers = pairsOf(raw).filter(([name]) => !OF_ONE_REQUEST.test(name))
      const [first, ...others] = captured.map((one) => ({ ...one, headers }))
      if (!first) throw new Error('nothing was captured')
      return [first, ...others]
    },
    final: (requestId) => finalVerdict(board, requestId),
    verdict: (requestId) => readVerdict(installation, domain, requestId),
    remark,
  }
}

const OF_ONE_REQUEST = /^(host|connection|content-length)$/i

const pairsOf = (raw: readonly string[]): [string, string][] =>
  raw.flatMap((name, at) => (at % 2 === 0 ? [[name, raw[at + 1] ?? ''] as [string, string]] : []))
