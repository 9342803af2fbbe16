import type { FastifyReply, FastifyRequest } from 'fastify'

/** Browsers send a cookie to its path only, and neither scripts nor other sites can read or send it. */
interface AccountCookie {
  name: string
  /** Below the public base URL of the dashboard. */
  path: `/account/${string}`
}

export const REFRESH_COOKIE: AccountCookie = { name: 'inkling_refresh', path: '/account/session' }
/** A device that has signed in before. */
export const DEVICE_COOKIE: AccountCookie = { name: 'inkling_device', path: '/account/login' }
/** The browser that was sent to the identity provider. */
export const PROVIDER_COOKIE: AccountCookie = { name: 'inkling_provider', path: '/account/login' }

/** The value of a cookie of the request; undefined without one. */
export function readCookie({ headers }: FastifyRequest, { name }: AccountCookie): string | undefined {
  for (const pair of (headers.cookie ?? '').split(';')) {
    const [found, value] = pair.trim().split('=', 2)
    if (found === name && value) return value
  }
  return undefined
}

/** Adds a cookie to the answer; an empty value with no time removes it. */
export function setCookie(
  reply: FastifyReply,
  baseUrl: string,
  { name, path }: AccountCookie,
  { value, seconds }: { value: string; seconds: number },
): void {
  const { protocol, pathname } = new URL(baseUrl)
  const fullPath = `${pathname.replace(/\/+$/, '')}${path}`
  const secure = protocol === 'https:' ? '; Secure' : ''
  reply.header(
    'set-cookie',
    `${name}=${value}; Path=${fullPath}; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`,
  )
}

export const clearCookie = (reply: FastifyReply, baseUrl: string, cookie: AccountCookie): void =>
  setCookie(reply, baseUrl, cookie, { value: '', seconds: 0 })
