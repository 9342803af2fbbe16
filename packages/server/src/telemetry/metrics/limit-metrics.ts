import { Counter, type Registry } from 'prom-client'
import type { RateLimit } from '../../lib/rate-limit.ts'

export function limitMetrics(registry: Registry) {
  const refused = new Counter({
    name: 'inkling_rate_limited_total',
    help: 'Requests over a limit, by the surface that it protects',
    labelNames: ['surface'],
    registers: [registry],
  })

  return {
    /** The same limit, whose refusals are counted. */
    countedLimit(surface: string, { take }: RateLimit): RateLimit {
      refused.inc({ surface }, 0)
      return {
        async take(key) {
          const permission = await take(key)
          if (permission !== 'allowed') refused.inc({ surface })
          return permission
        },
      }
    },
  }
}
