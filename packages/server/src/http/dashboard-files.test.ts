import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { temporaryDirectory } from '../../test/temporary-store.ts'
import { dashboardRoutes } from './dashboard-files.ts'

const PAGE =
  '<base href="/dashboard/"><meta name="installation" content=""><meta property="csp-nonce" nonce="__CSP_NONCE__">'

const INSTALLATION = {
  agentUrl: 'https://agent.test',
  ingestUrl: 'https://ingest.test',
  historyUrl: 'https://history.test',
  serviceName: 'Svc',
}

async function openDashboard(baseUrl = 'http://localhost:8080', built = true) {
  const staticDir = await temporaryDirectory()
  if (built) {
    await mkdir(join(staticDir, 'assets'))
    await writeFile(join(staticDir, 'index.html'), PAGE)
    await writeFile(join(staticDir, 'secret.txt'), 'no')
    await writeFile(join(staticDir, 'assets', 'index-a1_B-2.js'), 'export {}')
  }
  const app = Fastify()
  app.register(dashboardRoutes({ baseUrl, installation: INSTALLATION, staticDir }))
  return app
}

test('every path below the dashboard is the page, under a policy without `unsafe-*`', async () => {
  const app = await openDashboard()
  for (const url of [
    '/dashboard/',
    '/dashboard/domains',
    '/dashboard/d/shop.example/identifications?band=x',
  ]) {
    const page = await app.inject(url)
    expect(page.statusCode).toBe(200)
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(page.headers['cache-control']).toBe('no-store')
    expect(page.headers['x-content-type-options']).toBe('nosniff')
    const policy = String(page.headers['content-security-policy'])
    expect(policy).not.toContain('unsafe')
    expect(policy).toMatch(/^default-src 'none';.*script-src 'self';.*frame-ancestors 'none'/)
    const [, nonce] = /'nonce-([^']+)'/.exec(policy) ?? []
    expect(page.body).toContain(`nonce="${nonce}"`)
  }
})

test('each answer has its own nonce', async () => {
  const app = await openDashboard()
  const [first, second] = [await app.inject('/dashboard/'), await app.inject('/dashboard/')]
  expect(first.body).not.toBe(second.body)
})

test('the page knows its base path and the public URLs', async () => {
  const app = await openDashboard('https://tools.example/inkling')
  expect((await app.inject('/dashboard')).headers.location).toBe('/inkling/dashboard/')
  const { body } = await app.inject('/dashboard/')
  expect(body).toContain('<base href="/inkling/dashboard/">')
  expect(body).toContain('content="{&quot;agentUrl&quot;:&quot;https://agent.test&quot;')
})

test('assets are cached for a year, and no other file of the folder is served', async () => {
  const app = await openDashboard()
  const asset = await app.inject('/dashboard/assets/index-a1_B-2.js')
  expect(asset.headers['cache-control']).toBe('public, max-age=31536000, immutable')
  expect(asset.headers['content-type']).toBe('text/javascript; charset=utf-8')
  for (const name of ['gone.js', '..%2Findex.html', '..%2Fsecret.txt', 'a%00.js'])
    expect((await app.inject(`/dashboard/assets/${name}`)).statusCode).toBe(404)
  expect((await app.inject('/dashboard/secret.txt')).body).not.toBe('no')
})

test('says when the dashboard is not built', async () => {
  const page = await (await openDashboard(undefined, false)).inject('/dashboard/')
  expect(page.statusCode).toBe(503)
  expect(page.body).toContain('npm run build')
})
