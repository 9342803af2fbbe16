import type { FastifyReply, FastifyRequest } from 'fastify'
import type { OpenSession } from '../../auth/sessions.ts'

const NAME = 'inkling_refresh'
/** The only paths that it is sent to. */
const PATH = '/account/session'

/** Undefined without one. */
export function refreshCookie({ headers }: FastifyRequest): string | undefined {
  for (const pair of (headers.cookie ?? '').split(';')) {
    const [name, value] = pair.trim().split('=', 2)
    if (name === NAME && value) return value
  }
  return undefined
}

/** Out of reach of scripts, of other sites and of every path but the two that need it. */
export function setRefreshCookie(
  reply: FastifyReply,
  baseUrl: string,
  { refreshToken, expiresAtMs }: Pick<OpenSession, 'refreshToken' | 'expiresAtMs'>,
  nowMs: number,
): void {
  const seconds = Math.floor((expiresAtMs - nowMs) / 1_000)
  reply.header('set-cookie', cookie(baseUrl, refreshToken.text, seconds))
}

export function clearRefreshCookie(reply: FastifyReply, baseUrl: string): void {
  reply.header('set-cookie', cookie(baseUrl, '', 0))
}

function cookie(baseUrl: string, value: string, seconds: number): string {
  const { protocol, pathname } = new URL(baseUrl)
  const path = `${pathname.replace(/\/+$/, '')}${PATH}`
  const secure = protocol === 'https:' ? '; Secure' : ''
  return `${NAME}=${value}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`
}
