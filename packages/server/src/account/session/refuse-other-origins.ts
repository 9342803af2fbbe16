import type { FastifyRequest } from 'fastify'
import { AppError } from '../../lib/errors.ts'

/**
 * Refuses what a page of another origin sends. A browser says where a POST comes from by at least one of two
 * headers; a program says nothing, and has no cookies that somebody else could spend.
 * @param baseUrl public address, for a proxy that writes another `Host`
 */
export function refuseOtherOrigins({ headers }: FastifyRequest, baseUrl: string): void {
  const { host, origin } = headers
  // Over plain http it is not sent; where it is, the browser has compared the origins itself.
  const site = headers['sec-fetch-site']
  const isOwn =
    site === undefined
      ? origin === undefined || isHost(origin, [host?.toLowerCase(), new URL(baseUrl).host])
      : site === 'same-origin'
  if (!isOwn) throw new AppError('INK_CROSS_ORIGIN')
}

/** The origin of a sandboxed page is `null`, which is nobody's. */
const isHost = (origin: string, hosts: readonly (string | undefined)[]): boolean =>
  URL.canParse(origin) && hosts.includes(new URL(origin).host)
