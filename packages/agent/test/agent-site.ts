import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type WebSocket, WebSocketServer } from 'ws'
import { createBodyDecoder } from '../../server/src/ingest/ingest-body.ts'
import { buildAgent } from '../build.ts'

/** In the form of the server's. */
export const TICKET = 'a-ticket'.repeat(12)
/** What its pages have of the edge's assessment. */
export const JOIN_KEY = 'sealed-by-the-edge'
export const PUBLIC_KEY = '0123456789abcdef0123456789abcdef'

export interface Post {
  requestId: string
  publicKey: string | null
  headers: IncomingHttpHeaders
  bytes: Buffer
}

export interface FollowUpTalk {
  reports: Record<string, unknown>[]
  /** Resolves once that many messages have come. */
  count(messages: number): Promise<Record<string, unknown>[]>
  closed: Promise<void>
}

/** A customer's page, and a stub of Inkling's server that records what it receives. */
export interface AgentSite {
  page: string
  service: string
  /** Address of the module, on another origin than the page. */
  script: string
  privateKey: Buffer
  posts: Post[]
  /**
   * The messages of a request's follow-up channel, once it is open. The agent opens one for `scriptWithFollowUp`, before
   * it sends the body; but a browser opens one at a time to a host, so that the body may come first.
   */
  channel(requestId: string): Promise<FollowUpTalk>
  /** The first message over that channel. */
  followUp(requestId: string): Promise<Record<string, unknown>>
  scriptWithFollowUp: string
  /** Methods of all requests to the service; a preflight would show here. */
  methods: string[]
  /** Request IDs for which a ticket was asked for, and what is answered: undefined for a server without tickets. */
  tickets: string[]
  ticket: string | undefined
  /** What answers to posts carry for the customer's backend. */
  sealedVerdict: string | undefined
  /** How to answer a post: with a status, or by closing the connection. */
  answer: (post: Post) => number | 'cut'
  /** Resolves with the first post of the request ID once there are that many. */
  arrived(requestId: string, count?: number): Promise<Post>
  /** Resolves once there are that many posts of any request ID. */
  received(count: number): Promise<void>
  /** The body of the first post, decrypted and parsed. */
  body(requestId: string): Promise<Record<string, unknown>>
  close(): Promise<void>
}

/** A bundle of its own, because another test may be building the real one. */
export async function withBuiltAgent<Value>(use: (file: string) => Promise<Value>): Promise<Value> {
  const folder = await mkdtemp(join(tmpdir(), 'inkling-agent-'))
  try {
    const file = join(folder, 'agent.js')
    await buildAgent(pathToFileURL(file))
    return await use(file)
  } finally {
    await rm(folder, { recursive: true })
  }
}

export const builtAgent = (): Promise<string> => withBuiltAgent((file) => readFile(file, 'utf8'))

export async function startAgentSite(): Promise<AgentSite> {
  const module = await builtAgent()
  const privateKey = randomBytes(32)
  const decoder = createBodyDecoder(privateKey)
  const posts: Post[] = []
  const methods: string[] = []
  const tickets: string[] = []
  let news = Promise.withResolvers<void>()

  const pages = await listen(({ url }, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    // The directives that the agent needs, and the same without the one for workers, which it can do without.
    const socket = site.service.replace('http', 'ws')
    const strict = `default-src 'none'; img-src 'self'; script-src ${site.service}; connect-src ${site.service} ${socket}`
    if (url === '/strict') response.setHeader('content-security-policy', `${strict}; worker-src blob:`)
    if (url === '/strictest') response.setHeader('content-security-policy', strict)
    response.end(
      `<!doctype html><html lang="en"><head><meta name="inkling-join" content="${JOIN_KEY}"><title>Shop</title></head><body>Hello</body></html>`,
    )
  })
  const service = await listen(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://service')
    methods.push(request.method ?? '')
    response.setHeader('access-control-allow-origin', '*')
    if (pathname === '/agent.js') {
      const config = {
        publicKey: searchParams.get('publicKey') ?? '',
        ingestUrl: site.service,
        followUp: searchParams.has('followUp'),
        ...(!searchParams.has('plain') && { serverKey: decoder.publicKey.toString('base64url') }),
      }
      response.setHeader('content-type', 'text/javascript; charset=utf-8')
      response.end(`const __INKLING_CONFIG__=${JSON.stringify(config)};\n${module}`)
      return
    }
    if (pathname.startsWith('/ticket/')) {
      tickets.push(pathname.slice('/ticket/'.length))
      response.statusCode = site.ticket === undefined ? 404 : 200
      response.end(site.ticket)
      return
    }
    const bytes = Buffer.concat(await request.toArray())
    const requestId = /^\/snapshot\/(.+)$/.exec(pathname)?.[1] ?? ''
    const post = { requestId, publicKey: searchParams.get('publicKey'), headers: request.headers, bytes }
    posts.push(post)
    news.resolve()
    news = Promise.withResolvers()
    const answer = site.answer(post)
    if (answer === 'cut') {
      request.socket.destroy()
      return
    }
    if (site.sealedVerdict !== undefined)
      response
        .setHeader('x-sealed-verdict', site.sealedVerdict)
        .setHeader('access-control-expose-headers', 'x-sealed-verdict')
    response.statusCode = answer
    response.end('"127.0.0.1"')
  })

  const channels = new Map<string, PromiseWithResolvers<FollowUpTalk>>()
  const channelOf = (requestId: string) =>
    channels.getOrInsertComputed(requestId, () => Promise.withResolvers())
  new WebSocketServer({ server: service }).on('connection', (channel, { url = '' }) => {
    channelOf(/^\/follow\/([^?]+)/.exec(url)?.[1] ?? '').resolve(listenTo(channel))
    channel.send(JSON.stringify({ network_check: null }))
  })

  const script = `http://127.0.0.1:${portOf(service)}/agent.js?publicKey=${PUBLIC_KEY}`
  const site: AgentSite = {
    page: `http://localhost:${portOf(pages)}`,
    service: `http://127.0.0.1:${portOf(service)}`,
    script,
    scriptWithFollowUp: `${script}&followUp`,
    channel: (requestId) => channelOf(requestId).promise,
    async followUp(requestId) {
      const [first = {}] = await (await site.channel(requestId)).count(1)
      return first
    },
    privateKey,
    posts,
    methods,
    tickets,
    ticket: TICKET,
    sealedVerdict: undefined,
    answer: () => 200,
    async arrived(requestId, count = 1) {
      for (;;) {
        const [first, ...others] = posts.filter((post) => post.requestId === requestId)
        if (first && others.length + 1 >= count) return first
        await news.promise
      }
    },
    async received(count) {
      while (posts.length < count) await news.promise
    },
    async body(requestId) {
      const { bytes } = await site.arrived(requestId)
      return JSON.parse(decoder.decode(bytes, requestId))
    },
    async close() {
      await Promise.all([stop(pages), stop(service)])
    },
  }
  return site
}

function listenTo(channel: WebSocket): FollowUpTalk {
  const reports: Record<string, unknown>[] = []
  let news = Promise.withResolvers<void>()
  channel.on('message', (data) => {
    reports.push(JSON.parse(String(data)))
    news.resolve()
    news = Promise.withResolvers()
  })
  return {
    reports,
    async count(messages) {
      while (reports.length < messages) await news.promise
      return reports
    },
    closed: new Promise((resolve) => channel.once('close', () => resolve())),
  }
}

async function listen(listener: RequestListener): Promise<Server> {
  const server = createServer(listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port

async function stop(server: Server): Promise<void> {
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
}
