import { beforeAll, describe, expect, test } from 'vitest'
import {
  exchange,
  FROM_KERNEL,
  http2,
  runningListener,
  tcp,
  tlsOver,
  type Who,
  whoOver,
} from '../../../test/running-listener.ts'
import { selfSignedCertificate } from '../../../test/self-signed-certificate.ts'

let tls: { cert: string; key: string }
beforeAll(async () => {
  tls = await selfSignedCertificate()
})

const LOOPBACK = '127.0.0.1'
const isLoopback = (address: string): boolean => address === LOOPBACK
const V1 = 'PROXY TCP4 192.0.2.7 203.0.113.5 25558 443\r\n'
const V2 = Buffer.from('0d0a0d0a000d0a515549540a2111000cc0000207cb00710563d601bb', 'hex')

const BEHIND_PROXY = { available: false, reason: 'behind_proxy' }

describe('behind a balancer that speaks the PROXY protocol', () => {
  const ends = [
    ['v1', V1],
    ['v2', V2],
  ] as const

  test.each(ends)(
    '%s over TLS: the visitor is the source, TLS is the visitor, the kernel is not',
    async (_v, header) => {
      const { port } = await runningListener({ tls, isBalancer: isLoopback })
      const socket = await tcp(port)
      socket.write(header)
      const { ip, evidence } = await whoOver(await tlsOver(socket))
      expect(ip).toBe('192.0.2.7')
      expect(evidence).toMatchObject({
        syn: BEHIND_PROXY,
        tcpRoundTrip: BEHIND_PROXY,
        tls: { available: true },
        headers: { available: true },
      })
    },
  )

  test.each(ends)('%s over HTTP/2', async (_version, header) => {
    const { port } = await runningListener({ tls, isBalancer: isLoopback })
    const socket = await tcp(port)
    socket.write(header)
    const { ask } = http2(port, await tlsOver(socket, ['h2']))
    const { ip, evidence }: Who = JSON.parse(await ask({ ':path': '/who' }))
    expect(ip).toBe('192.0.2.7')
    expect(evidence).toMatchObject({
      syn: BEHIND_PROXY,
      tls: { available: true },
      http2: { available: true },
    })
  })

  test.each(ends)('%s in the clear, header and request in one packet or byte by byte', async (_v, header) => {
    const { port } = await runningListener({ isBalancer: isLoopback })
    const together = await tcp(port)
    together.write(header)
    expect((await whoOver(together)).ip).toBe('192.0.2.7')
    const apart = await tcp(port)
    apart.setNoDelay()
    for (const byte of Buffer.from(header)) apart.write(Buffer.from([byte]))
    expect((await whoOver(apart)).ip).toBe('192.0.2.7')
  })

  test('a LOCAL connection of the balancer has the address of the balancer and no evidence of its packets', async () => {
    const { port } = await runningListener({ isBalancer: isLoopback })
    const socket = await tcp(port)
    socket.write('PROXY UNKNOWN\r\n')
    const { ip, evidence } = await whoOver(socket)
    expect(ip).toBe(LOOPBACK)
    expect(evidence.syn).toEqual(BEHIND_PROXY)
  })

  test('a connection without a header counts as direct', async () => {
    const { port } = await runningListener({ isBalancer: isLoopback })
    const { ip, evidence } = await whoOver(await tcp(port))
    expect(ip).toBe(LOOPBACK)
    expect(evidence.syn).toMatchObject(FROM_KERNEL)
  })

  test('a malformed header closes the connection', async () => {
    const { port } = await runningListener({ isBalancer: isLoopback })
    const socket = await tcp(port)
    socket.write('PROXY TCP4 nobody 203.0.113.5 1 2\r\n')
    expect(await exchange(socket, '/who')).toBe('')
  })

  test('a header from any other address is a malformed request', async () => {
    const { port } = await runningListener()
    const socket = await tcp(port)
    socket.write(V1)
    expect(await exchange(socket, '/who')).toMatch(/^HTTP\/1.1 400 /)
  })
})

test('a trusted proxy that terminates connections leaves no evidence', async () => {
  const everything = Object.fromEntries(
    ['syn', 'tcpRoundTrip', 'tls', 'http2', 'headers'].map((name) => [name, BEHIND_PROXY]),
  )
  const direct = await runningListener({ tls, isTrustedProxy: isLoopback })
  expect(JSON.parse(await http2(direct.port).ask({ ':path': '/who' }))).toMatchObject({
    evidence: everything,
  })

  const balanced = await runningListener({
    isBalancer: isLoopback,
    isTrustedProxy: (address) => address === '192.0.2.7',
  })
  const socket = await tcp(balanced.port)
  socket.write(V1)
  expect((await whoOver(socket)).evidence).toEqual(everything)
})
