import { execFile } from 'node:child_process'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openKernel } from './kernel.ts'
import { parseSyn } from './parse-syn.ts'

const fdOf = (end: Server | Socket): number => (end as unknown as { _handle: { fd: number } })._handle.fd

async function listener(host: string): Promise<{ server: Server; port: number }> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('not a TCP listener')
  return { server, port: address.port }
}

/** Runs `read` on the accepted socket in the turn in which it is accepted. */
function accepting<Value>(
  server: Server,
  host: string,
  port: number,
  read: (fd: number) => Value,
): Promise<Value> {
  const client = connect(port, host)
  onTestFinished(() => void client.destroy())
  return new Promise((resolve, reject) => {
    client.once('error', reject)
    server.once('connection', (socket) => {
      onTestFinished(() => void socket.destroy())
      resolve(read(fdOf(socket)))
    })
  })
}

describe.runIf(process.platform === 'linux')('the kernel', () => {
  test('is available on Linux', () => {
    expect(openKernel()).toMatchObject({ available: true, reason: undefined })
  })

  test.each([
    { listen: '127.0.0.1', dial: '127.0.0.1', ipVersion: 4, mss: 65_495 },
    { listen: '::1', dial: '::1', ipVersion: 6, mss: 65_476 },
    { listen: '::', dial: '127.0.0.1', ipVersion: 4, mss: 65_495 },
  ])('gives the first packet of a visitor from $dial to a listener on $listen, once', async (way) => {
    const kernel = openKernel()
    const { server, port } = await listener(way.listen)
    expect(kernel.saveSyns(fdOf(server))).toBe(true)

    const read = (fd: number) => [kernel.savedSyn(fd), kernel.savedSyn(fd)] as const
    const [syn, again] = await accepting(server, way.dial, port, read)
    expect(syn && parseSyn(syn)).toMatchObject({
      ipVersion: way.ipVersion,
      ttl: 64,
      options: '2-4-8-1-3',
      mss: way.mss,
    })
    expect(again).toBeUndefined()
  })

  test('saves the SYN of each connection', async () => {
    const kernel = openKernel()
    const { server, port } = await listener('127.0.0.1')
    kernel.saveSyns(fdOf(server))
    const first = await accepting(server, '127.0.0.1', port, kernel.savedSyn)
    const copy = first?.slice()
    const second = await accepting(server, '127.0.0.1', port, kernel.savedSyn)
    expect(first).toEqual(copy)
    expect(second).not.toEqual(first)
  })

  test('has measured the round trip when a connection is accepted', async () => {
    const kernel = openKernel()
    const { server, port } = await listener('127.0.0.1')
    const info = await accepting(server, '127.0.0.1', port, kernel.tcpInfo)
    expect(info?.sndMss).toBeGreaterThanOrEqual(536)
    expect(info?.sndMss).toBeLessThanOrEqual(65_483)
    expect(info?.minRttMs).toBeGreaterThan(0)
    expect(info?.minRttMs).toBeLessThanOrEqual(info?.rttMs ?? 0)
  })

  test('returns nothing without a saved SYN or for other descriptors', async () => {
    const kernel = openKernel()
    const { server, port } = await listener('127.0.0.1')
    expect(await accepting(server, '127.0.0.1', port, kernel.savedSyn)).toBeUndefined()
    for (const fd of [-1, 1_000_000]) {
      expect([kernel.saveSyns(fd), kernel.savedSyn(fd), kernel.tcpInfo(fd)]).toEqual([
        false,
        undefined,
        undefined,
      ])
    }
  })
})

describe('an unavailable kernel', () => {
  /** Opens the kernel in another process, after running `setup` there. */
  async function openedAfter(setup: string): Promise<unknown> {
    const script = `${setup}
      const { openKernel } = await import(${JSON.stringify(import.meta.resolve('./kernel.ts'))})
      const kernel = openKernel()
      const answers = [kernel.saveSyns(0), kernel.savedSyn(0) ?? null, kernel.tcpInfo(0) ?? null]
      console.log(JSON.stringify({ ...kernel, answers }))`
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script])
    return JSON.parse(stdout)
  }
  const closed = (reason: string) => ({ available: false, reason, answers: [false, null, null] })

  test('gives a reason on another system', async () => {
    const given = await openedAfter("Object.defineProperty(process, 'platform', { value: 'darwin' })")
    expect(given).toEqual(closed('not on darwin: the kernel must be Linux'))
  })

  test('gives a reason if koffi is missing or broken', async () => {
    const given = await openedAfter(`import { registerHooks } from 'node:module'
      registerHooks({ resolve(name, context, next) {
        if (name === 'koffi') throw new Error("Cannot find module 'koffi'\\nRequire stack: ...")
        return next(name, context)
      } })`)
    expect(given).toEqual(closed("koffi does not load: Cannot find module 'koffi'"))
  })
})
