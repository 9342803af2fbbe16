import type { Attempt, PageOptions } from '../src/attempt.ts'
import type { Case } from '../src/case.ts'
import { BLOG } from '../src/installation.ts'
import { inBothEngines } from './in-both-engines.ts'

const inBoth = inBothEngines('caches and proxies')

/** The second visit of a profile gets the script from where the first put it. */
async function twice(attempt: Attempt, options: PageOptions): Promise<string> {
  const profile = `${attempt.folder}/profile`
  await attempt.visit({ ...options, profile })
  return attempt.visit({ ...options, profile })
}

export const CACHES: readonly Case[] = [
  ...inBoth('service-worker', 'everything from the cache of a service worker', (attempt, engine) =>
    twice(attempt, { engine, query: [['act', 'worker']] }),
  ),
  ...inBoth('cdn', 'script from the cache of a CDN', (attempt, engine) =>
    attempt.visit({
      engine,
      agentUrl: attempt.agentUrl.replace(attempt.installation.url, attempt.site.originOf('cdn.example')),
    }),
  ),
  ...inBoth(
    'interception',
    'behind a proxy that decrypts and encrypts again, as companies have',
    (attempt, engine) => {
      attempt.installation.forwarder.mode = 'intercepting'
      return attempt.visit({ engine })
    },
  ),
  ...inBoth(
    'gateway',
    'behind such a proxy that speaks HTTP/2 to the server and lets no WebSocket through',
    (attempt, engine) => {
      attempt.installation.forwarder.mode = 'gateway'
      return attempt.visit({ engine })
    },
  ),
  ...inBoth(
    'gateway-cached',
    'behind such a proxy, on the second visit of a profile, with the script from its cache',
    (attempt, engine) => {
      attempt.installation.forwarder.mode = 'gateway'
      return twice(attempt, { engine })
    },
  ),
  ...inBoth('first-party', "behind the shop's own server", (attempt, engine) => attempt.visit({ engine }), {
    at: 'firstParty',
  }),
  ...inBoth(
    'first-party-post',
    'behind a server that passes on nothing but posts',
    (attempt, engine) => attempt.visit({ engine, origin: attempt.site.originOf(BLOG) }),
    { at: 'firstParty', domain: BLOG },
  ),
  ...inBoth('moved-network', 'from the train into an office between two visits', async (attempt, engine) => {
    const profile = `${attempt.folder}/profile`
    await attempt.visit({ engine, profile })
    attempt.move()
    return attempt.visit({ engine, profile })
  }),
]
