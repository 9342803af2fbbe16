import { randomBytes } from 'node:crypto'
import { type HistoryRow, namesOne } from '@inkling/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { growingCache } from '../lib/growing-cache.ts'

/** The demo's own cookie, which scripts cannot read. */
const SESSION_COOKIE = 'inkling_demo'
/** The cookie that the agent keeps on the page's host: the `cookie_id` of its visits. */
const AGENT_COOKIE = 'inkling_id'
const SESSION = /^[\w-]{43}$/
/** Visits whose session is known. */
const VISITS_MAX = 10_000

/** The browser that sends a request. */
export interface DemoVisitor {
  /** Random; undefined before the page has asked for its session. */
  session: string | undefined
  cookieId: string | undefined
}

/**
 * Which visits a browser may see: its own. A customer's backend knows its users, and the demo has only a random session:
 * the first session that asks for a visit before it is in History has it. A visit that is there already belongs to the
 * browser with its `cookie_id`, which no page but those of this host can read.
 */
export interface DemoSessions {
  /** Starts a session unless the browser has one. */
  open(request: FastifyRequest, reply: FastifyReply): void
  /** Says that History has no such visit yet. */
  expect(visitor: DemoVisitor, requestId: string): void
  mayRead(visitor: DemoVisitor, row: Pick<HistoryRow, 'request_id' | 'cookie_id'>): boolean
}

export function createDemoSessions(demoUrl: string): DemoSessions {
  const owners = growingCache<string, string>(VISITS_MAX)
  const attributes = `Path=/demo; HttpOnly; SameSite=Strict${demoUrl.startsWith('https:') ? '; Secure' : ''}`

  return {
    open(request, reply) {
      if (visitorOf(request).session !== undefined) return
      const session = randomBytes(32).toString('base64url')
      reply.header('set-cookie', `${SESSION_COOKIE}=${session}; ${attributes}`)
    },
    expect({ session }, requestId) {
      if (session !== undefined && !owners.has(requestId)) owners.set(requestId, session)
    },
    mayRead({ session, cookieId }, { request_id, cookie_id }) {
      if (session === undefined) return false
      const owner = owners.get(request_id)
      if (owner === undefined && namesOne(cookie_id) && cookie_id === cookieId)
        owners.set(request_id, session)
      return owners.get(request_id) === session
    },
  }
}

export function visitorOf(request: FastifyRequest): DemoVisitor {
  const cookies = new Map(
    (request.headers.cookie ?? '').split(';').map((pair) => {
      const [name = '', value = ''] = pair.trim().split('=')
      return [name, value] as const
    }),
  )
  const session = cookies.get(SESSION_COOKIE)
  return {
    session: session !== undefined && SESSION.test(session) ? session : undefined,
    cookieId: cookies.get(AGENT_COOKIE)?.toLowerCase(),
  }
}
