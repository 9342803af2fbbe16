import type { PageOptions } from '../src/attempt.ts'
import type { Case } from '../src/case.ts'

const visit = (id: string, title: string, options: PageOptions, at: Case['at'] = 'tls'): Case => ({
  kind: 'honest',
  family: 'HTTP versions',
  id,
  title,
  at,
  run: (attempt) => attempt.visit(options),
})

export const HTTP_VERSIONS: readonly Case[] = [
  visit('chromium-http1', 'Chromium without HTTP/2', { engine: 'chromium', args: ['--disable-http2'] }),
  visit('firefox-http1', 'Firefox without HTTP/2', {
    engine: 'firefox',
    prefs: { 'network.http.http2.enabled': false },
  }),
  visit('chromium-tls12', 'Chromium with TLS 1.2 at most', {
    engine: 'chromium',
    args: ['--ssl-version-max=tls1.2'],
  }),
  visit('firefox-tls12', 'Firefox with TLS 1.2 at most', {
    engine: 'firefox',
    prefs: { 'security.tls.version.max': 3 },
  }),
]
