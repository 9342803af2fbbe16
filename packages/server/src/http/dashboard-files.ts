import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import { sendNotFound } from '../lib/answers.ts'
import { readFileIfExists } from '../lib/read-file-if-exists.ts'
import { PAGE_HEADERS } from './security-headers.ts'
import { createKeptFiles, type KeptFiles, staticBody } from './static-body.ts'

export interface DashboardDeps {
  /** Public base URL of the dashboard. */
  baseUrl: string
  installation: Installation
  /** Folder with the built files. */
  staticDir: string
}

const TYPES: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
}
/** Files without a hash in their names. */
const PLAIN_FILES = ['color-scheme.js', 'inkling.svg']
const ASSET_NAME = /^[\w-]+(\.[\w-]+)*\.(js|css|svg)$/
const YEAR_SECONDS = 31_536_000

const HEADERS = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' }

/** GET /dashboard and everything below: the built files, and the page for every other path. */
export function dashboardRoutes(deps: DashboardDeps): FastifyPluginAsync {
  const path = `${new URL(deps.baseUrl).pathname.replace(/\/+$/, '')}/dashboard/`
  // A build changes the names.
  const files = createKeptFiles((name, content) => staticBody(typeOf(name), content))
  return (app) => {
    app.get('/dashboard', (_, reply) => reply.headers(HEADERS).redirect(path, 307))
    app.get<{ Params: { name: string } }>('/dashboard/assets/:name', ({ params: { name } }, reply) =>
      sendFile(reply, deps.staticDir, files, ASSET_NAME.test(name) ? `assets/${name}` : undefined, {
        // The name has a hash of the content.
        'cache-control': `public, max-age=${YEAR_SECONDS}, immutable`,
      }),
    )
    for (const name of PLAIN_FILES)
      app.get(`/dashboard/${name}`, (_, reply) =>
        sendFile(reply, deps.staticDir, files, name, { 'cache-control': 'no-cache' }),
      )
    // The page's router reads the rest of the path.
    for (const url of ['/dashboard/', '/dashboard/*']) app.get(url, (_, reply) => sendPage(reply, deps, path))
    return Promise.resolve()
  }
}

async function sendPage(
  reply: FastifyReply,
  { staticDir, installation }: DashboardDeps,
  path: string,
): Promise<FastifyReply> {
  const built = await readFileIfExists(join(staticDir, 'index.html'))
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
      ...PAGE_HEADERS,
    })
    .type('text/html; charset=utf-8')
    .send(presentPage(built.toString(), { nonce, path, installation }))
}

const typeOf = (name: string): string =>
  TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream'

async function sendFile(
  reply: FastifyReply,
  staticDir: string,
  files: KeptFiles,
  name: string | undefined,
  headers: Record<string, string>,
): Promise<FastifyReply> {
  const body = name === undefined ? undefined : await files(join(staticDir, name))
  return body ? body.send(reply.headers({ ...HEADERS, ...headers })) : sendNotFound(reply)
}

/** What the integration pages show. Anybody can read it, so it holds no secrets. */
export interface Installation {
  agentUrl: string
  ingestUrl: string
  historyUrl: string
  serviceName: string
}

interface Page {
  /** The CSP nonce of this answer. */
  nonce: string
  /** Path of the dashboard, with a slash at both ends. */
  path: string
  installation: Installation
}

/** Fills in what only the running server knows. */
const presentPage = (built: string, { nonce, path, installation }: Page): string =>
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
 * The page's policy, without `unsafe-inline`: the component library writes its theme into style elements, which carry
 * the nonce, and sets style attributes by script, which no directive restricts.
 */
const contentSecurityPolicy = (nonce: string): string =>
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
