import type { FastifyInstance } from 'fastify'

const YEAR_SECONDS = 31_536_000

/**
 * Headers of every answer: browsers take it for what its type says, and where the server ends TLS itself they come back
 * over TLS alone. Not on `localhost`, whose other services may not speak it; a proxy that ends TLS knows better.
 */
export function securityHeaders(app: FastifyInstance, { endsTls }: { endsTls: boolean }): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-content-type-options', 'nosniff')
    if (endsTls && !isLocal(request.hostname))
      reply.header('strict-transport-security', `max-age=${YEAR_SECONDS}`)
    done()
  })
}

/**
 * Of pages for operators: no window that opens them or that they open can reach into them, and nothing in them uses what a
 * browser would ask its user about. Passkeys stay allowed.
 */
export const PAGE_HEADERS = {
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
} as const

const isLocal = (host: string): boolean => host === 'localhost' || host.endsWith('.localhost')
