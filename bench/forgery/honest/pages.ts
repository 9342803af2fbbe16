import type { Attempt, PageOptions } from '../src/attempt.ts'
import { ENGINES, type Engine } from '../src/browser.ts'
import type { Case } from '../src/case.ts'

const NAMES = { chromium: 'Chromium', firefox: 'Firefox' }

const inBoth = (
  id: string,
  title: string,
  options: (attempt: Attempt, engine: Engine) => Omit<PageOptions, 'engine'>,
  at: Case['at'] = 'tls',
): Case[] =>
  ENGINES.map((engine) => ({
    kind: 'honest',
    family: 'pages and frames',
    id: `${engine}-${id}`,
    title: `${NAMES[engine]}, ${title}`,
    at,
    run: (attempt) => attempt.visit({ ...options(attempt, engine), engine }),
  }))

export const PAGES: readonly Case[] = [
  ...inBoth('third-party-frame', "in a frame on another site's page", ({ site }) => ({
    frameOrigin: site.originOf('news.example'),
  })),
  ...inBoth('insecure', 'on an insecure origin', ({ site }) => ({ origin: site.insecureOrigin }), 'plain'),
  ...inBoth(
    'insecure-reload',
    'on an insecure origin, page reloaded',
    ({ site }) => ({ origin: site.insecureOrigin, query: [['act', 'reload']] }),
    'plain',
  ),
  ...inBoth(
    'insecure-back',
    'on an insecure origin, back with the back button',
    ({ site }) => ({ origin: site.insecureOrigin, query: [['act', 'return']] }),
    'plain',
  ),
  ...inBoth('reload', 'page reloaded', () => ({ query: [['act', 'reload']] })),
  ...inBoth('back', 'back with the back button', () => ({ query: [['act', 'return']] })),
  ...inBoth('quick-leave', 'left at once', () => ({ query: [['act', 'leave']] })),
  ...inBoth('no-channel', 'on a page whose policy allows no WebSocket', ({ site, installation }) => ({
    query: [
      [
        'policy',
        `script-src ${site.origin} ${installation.url}; connect-src ${site.origin} ${installation.url}; worker-src 'none'`,
      ],
    ],
  })),
  {
    kind: 'honest',
    family: 'pages and frames',
    id: 'chromium-two-tabs',
    title: 'Chromium, two tabs at once',
    async run(attempt) {
      const second = attempt.address()
      const requestId = await attempt.visit({ engine: 'chromium', args: [second.url] })
      const other = await second.note<{ requestId: string }>('checked')
      await attempt.final(other.requestId)
      return requestId
    },
  },
]
