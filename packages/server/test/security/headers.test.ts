import { writeFile } from 'node:fs/promises'
import { request } from 'node:https'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { rawRequest } from '../contract/raw-request.ts'
import { runningServer } from '../running-server.ts'
import { selfSignedCertificate } from '../self-signed-certificate.ts'
import { temporaryDirectory } from '../temporary-store.ts'

const PATHS = ['/', '/health', '/ready', '/agent.js', '/noscript', '/docs', '/dashboard', '/account/domains']

test('every answer tells browsers not to guess its type, and no HTTP answer asks for TLS', async () => {
  const server = await runningServer()
  for (const path of [...PATHS, '/no/such/path', '/api/v1/history/x/y', '/v1/profile']) {
    const { headers } = await rawRequest(server, { path })
    expect(headers['x-content-type-options'], path).toBe('nosniff')
    expect(headers, path).not.toHaveProperty('strict-transport-security')
  }
})

test('a server that ends TLS has browsers come back over TLS, but not to localhost', async () => {
  const folder = await temporaryDirectory()
  const { cert, key } = await selfSignedCertificate()
  const [certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  await Promise.all([writeFile(certFile, cert), writeFile(keyFile, key)])
  const { port } = await runningServer({ settings: { TLS_CERT: certFile, TLS_KEY: keyFile } })
  const policyOf = (host: string, path: string): Promise<string | undefined> =>
    new Promise((resolve, reject) => {
      request(
        { host: '127.0.0.1', port, path, headers: { host }, rejectUnauthorized: false, agent: false },
        (response) => {
          response.resume()
          resolve(response.headers['strict-transport-security'])
        },
      )
        .on('error', reject)
        .end()
    })
  for (const path of PATHS) expect(await policyOf('id.shop.example', path), path).toBe('max-age=31536000')
  for (const host of [`localhost:${port}`, 'app.localhost'])
    expect(await policyOf(host, '/health')).toBeUndefined()
})
