import { execFile } from 'node:child_process'
import { type AddressInfo, createServer } from 'node:net'
import { PassThrough } from 'node:stream'
import { connect } from 'node:tls'
import { calculateJa4, readTlsClientHello } from 'read-tls-client-hello'
import { describe, expect, onTestFinished, test } from 'vitest'
import { describeBrowsers } from '../../../../../test/browsers.ts'
import { type ClientHello, readClientHello } from './client-hello.ts'
import { ja4 } from './ja4.ts'

/** The worked example of the JA4 description: Chrome in 2023. */
const PUBLISHED: ClientHello = {
  legacyVersion: 0x0303,
  ciphers: [
    0x1301, 0x1302, 0x1303, 0xc02b, 0xc02f, 0xc02c, 0xc030, 0xcca9, 0xcca8, 0xc013, 0xc014, 0x009c, 0x009d,
    0x002f, 0x0035,
  ],
  extensions: [
    0x001b, 0x0000, 0x0033, 0x0010, 0x4469, 0x0017, 0x002d, 0x000d, 0x0005, 0x0023, 0x0012, 0x002b, 0xff01,
    0x000b, 0x000a, 0x0015,
  ],
  namesServer: true,
  protocols: [Buffer.from('h2')],
  groups: [],
  supportedVersions: [0x0304, 0x0303],
  signatureAlgorithms: [0x0403, 0x0804, 0x0401, 0x0503, 0x0805, 0x0501, 0x0806, 0x0601],
}

describe('ja4', () => {
  test('matches the published example', () => {
    expect(ja4(PUBLISHED)).toBe('t13d1516h2_8daaf6152771_e5627efa2ab1')
  })

  test('ignores GREASE and the order of ciphers and extensions', () => {
    const shuffled: ClientHello = {
      ...PUBLISHED,
      ciphers: [0x3a3a, ...PUBLISHED.ciphers.toReversed()],
      extensions: [0xfafa, ...PUBLISHED.extensions.toReversed(), 0x0a0a],
      supportedVersions: [0xbaba, 0x0304, 0x0303],
      signatureAlgorithms: [0x1a1a, ...PUBLISHED.signatureAlgorithms],
    }
    expect(ja4(shuffled)).toBe(ja4(PUBLISHED))
  })

  test('depends on the order of signature algorithms', () => {
    const reversed = { ...PUBLISHED, signatureAlgorithms: PUBLISHED.signatureAlgorithms.toReversed() }
    expect(ja4(reversed)).not.toBe(ja4(PUBLISHED))
  })

  test.each([
    ['an empty hello', { ciphers: [], extensions: [], signatureAlgorithms: [] }, /^t13d0000h2_0{12}_0{12}$/],
    ['more than 99 ciphers', { ciphers: Array.from({ length: 120 }, (_, n) => n) }, /^t13d9916h2_/],
    ['an unknown version', { supportedVersions: [0x7f17] }, /^t00d/],
    ['no supported_versions', { supportedVersions: [] }, /^t12d/],
    ['no server name', { namesServer: false }, /^t13i/],
    ['no ALPN', { protocols: [] }, /^t13d151600_/],
    ['a GREASE protocol', { protocols: [Buffer.from([0xea, 0xea])] }, /^t13d1516ea_/],
  ])('%s has its form', (_name, change: Partial<ClientHello>, form) => {
    expect(ja4({ ...PUBLISHED, ...change })).toMatch(form)
  })
})

/** Accepts one connection and collects its bytes until the hello is complete. */
async function helloCatcher(): Promise<{ port: number; hello: Promise<Buffer> }> {
  const server = createServer()
  const hello = new Promise<Buffer>((resolve) => {
    server.on('connection', (socket) => {
      let bytes: Buffer = Buffer.alloc(0)
      socket.on('error', () => {})
      socket.on('data', (chunk: Buffer) => {
        bytes = Buffer.concat([bytes, chunk])
        if (readClientHello(bytes).state !== 'done') return
        resolve(bytes)
        socket.destroy()
      })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { port: (server.address() as AddressInfo).port, hello }
}

async function expectSameAsOther(bytes: Buffer): Promise<string> {
  const reading = readClientHello(bytes)
  if (reading.state !== 'done') throw new Error(reading.state)
  const own = ja4(reading.value)
  const stream = new PassThrough()
  stream.write(bytes)
  expect(own).toBe(calculateJa4(await readTlsClientHello(stream)))
  return own
}

describe('the JA4 of real clients agrees with read-tls-client-hello', () => {
  test.each([
    ['defaults', {}],
    ['a server name and ALPN', { servername: 'shop.example', ALPNProtocols: ['http/1.1'] }],
    ['TLS 1.2', { maxVersion: 'TLSv1.2' as const }],
  ])('Node with %s', async (_name, options) => {
    const { port, hello } = await helloCatcher()
    const socket = connect({ port, host: '127.0.0.1', ...options }).on('error', () => {})
    onTestFinished(() => void socket.destroy())
    await expectSameAsOther(await hello)
  })

  test.each([
    ['curl', (port: number) => ['-sk', `https://localhost:${port}/`]],
    ['curl', (port: number) => ['-sk', '--http1.1', '--tls-max', '1.2', `https://127.0.0.1:${port}/`]],
    ['openssl', (port: number) => ['s_client', '-connect', `localhost:${port}`, '-alpn', 'x']],
  ])('%s', async (program, argumentsOf) => {
    const { port, hello } = await helloCatcher()
    // Whether the request fails does not matter; a client that is not installed never sends a hello.
    execFile(program, argumentsOf(port), () => {}).stdin?.end()
    await expectSameAsOther(await hello)
  })
})

describeBrowsers('ja4', (browser) => {
  test('agrees with read-tls-client-hello and starts with TLS 1.3 and h2', async () => {
    const { port, hello } = await helloCatcher()
    const page = await browser.running().newPage()
    onTestFinished(() => page.close())
    await page.goto(`https://localhost:${port}/`).catch(() => {})
    expect(await expectSameAsOther(await hello)).toMatch(/^t13d\d{4}h2_/)
  })
})
