import { randomBytes } from 'node:crypto'
import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import { sendNotFound } from '../lib/answers.ts'
import { readIfThere } from './dashboard/read-if-there.ts'

export interface DashboardDeps {
  /** Public base URL that the dashboard is read from. */
  baseUrl: string
  installation: Installation
  /** Folder of the built files. */
  staticDir: string
}

const TYPES: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
}
/** Beside the page and without a hash in their names. */
const PLAIN_FILES = ['color-scheme.js', 'inkling.svg']
const ASSET_NAME = /^[\w-]+(\.[\w-]+)*\.(js|css|svg)$/
const YEAR_SECONDS = 31_536_000

const HEADERS = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' }

/** GET /dashboard and everything below it: the built files, and the page for every other address. */
export function dashboardRoutes(deps: DashboardDeps): FastifyPluginAsync {
  const path = `${new URL(deps.baseUrl).pathname.replace(/\/+$/, '')}/dashboard/`
  return (app) => {
    app.get('/dashboard', (_, reply) => reply.headers(HEADERS).redirect(path, 307))
    app.get<{ Params: { name: string } }>('/dashboard/assets/:name', ({ params: { name } }, reply) =>
      sendFile(reply, deps.staticDir, ASSET_NAME.test(name) ? `assets/${name}` : undefined, {
        // Another content has another name.
        'cache-control': `public, max-age=${YEAR_SECONDS}, immutable`,
      }),
    )
    for (const name of PLAIN_FILES)
      app.get(`/dashboard/${name}`, (_, reply) =>
        sendFile(reply, deps.staticDir, name, { 'cache-control': 'no-cache' }),
      )
    // The page itself reads the rest of the address.
    for (const url of ['/dashboard/', '/dashboard/*']) app.get(url, (_, reply) => sendPage(reply, deps, path))
    return Promise.resolve()
  }
}

async function sendPage(
  reply: FastifyReply,
  { staticDir, installation }: DashboardDeps,
  path: string,
): Promise<FastifyReply> {
  const built = await readIfThere(staticDir, 'index.html')
  if (!built)
    return reply
      .code(503)
      .headers({ ...HEADERS, 'cache-control': 'no-store' })
      .type('text/plain; charset=utf-8')
      .send('The dashboard is not built: npm run build\n')
  const nonce = randomBytes(16).toString('base64')
  return reply
    .headers({
      ...HEADERS,
      'cache-control': 'no-store',
      'content-security-policy': contentSecurityPolicy(nonce),
    })
    .type('text/html; charset=utf-8')
    .send(presentPage(built.toString(), { nonce, path, installation }))
}

async function sendFile(
  reply: FastifyReply,
  staticDir: string,
  name: string | undefined,
  headers: Record<string, string>,
): Promise<FastifyReply> {
  const content = name === undefined ? undefined : await readIfThere(staticDir, name)
  if (name === undefined || !content) return sendNotFound(reply)
  const type = TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream'
  return reply
    .headers({ ...HEADERS, ...headers })
    .type(type)
    .send(content)
}

/** What the pages for integration name. No secrets: everybody can read it. */
export interface Installation {
  agentUrl: string
  ingestUrl: string
  historyUrl: string
  serviceName: string
}

interface Page {
  /** One-time value of this answer. */
  nonce: string
  /** Path of the dashboard, with slashes around it. */
  path: string
  installation: Installation
}

/** The built page with what only the running server knows. */
export const presentPage = (built: string, { nonce, path, installation }: Page): string =>
  built
    .replaceAll('__CSP_NONCE__', nonce)
    .replace('<base href="/dashboard/">', () => `<base href="${attribute(path)}">`)
    .replace(
      '<meta name="installation" content="">',
      () => `<meta name="installation" content="${attribute(JSON.stringify(installation))}">`,
    )

const attribute = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

/**
 * What the page may do. Its component library writes its theme into style elements, which need the one-time
 * value; style attributes are set by script, which no directive covers. So nothing is `unsafe-inline`.
 */
export const contentSecurityPolicy = (nonce: string): string =>
  [
    `default-src 'none'`,
    `script-src 'self'`,
    `style-src 'self' 'nonce-${nonce}'`,
    `img-src 'self'`,
    `connect-src 'self'`,
    `base-uri 'self'`,
    `form-action 'none'`,
    `frame-ancestors 'none'`,
  ].join('; ')
