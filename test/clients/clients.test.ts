import { spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rowOf } from '../../packages/server/test/contract/callers.ts'
import { postSnapshot, startTestServer, type TestServer } from '../../packages/server/test/running-server.ts'
import { type Receiver, startWebhookReceiver } from '../../packages/server/test/webhook-receiver.ts'

/**
 * Programs in other languages, each with nothing but its standard library and that library's default settings, against
 * a running server over plain HTTP.
 */

let server: TestServer & { close(): Promise<void> }
let receiver: Receiver & { close(): void }
const requestId = randomUUID()
beforeAll(async () => {
  receiver = await startWebhookReceiver()
  server = await startTestServer({ endpoints: [receiver.url] })
  await postSnapshot(server, requestId)
  await receiver.count(1)
})
afterAll(async () => {
  receiver?.close()
  await server?.close()
})

const CLIENTS = [
  { language: 'Java', tools: ['java', 'javac'], version: '--version', run: ['java', 'Verdict.java'] },
  { language: 'Go', tools: ['go'], version: 'version', run: ['go', 'run', 'verdict.go'] },
  { language: 'Python', tools: ['python3'], version: '--version', run: ['python3', 'verdict.py'] },
]

const works = (tool: string, args: string[]): boolean => spawnSync(tool, args).status === 0

describe.each(CLIENTS)('a program in $language', ({ tools, version, run }) => {
  const missing = tools.filter((tool) => !works(tool, [version]))
  if (missing.length > 0) {
    test.skip(`is not run: ${missing.join(' and ')} cannot be started on this machine`)
    return
  }
  test('reads a verdict from History and recognises the signature of its event', async () => {
    const delivery = receiver.received[0]
    const { score } = await rowOf(server, requestId)
    const printed = await output(
      [
        ...run,
        ...[server.url, server.keys.api_key, requestId],
        ...[server.secrets[0] ?? '', String(delivery?.headers['x-svc-signature'])],
      ],
      delivery?.body,
    )
    expect(printed).toBe(`score ${score}\nsignature valid\nforgery invalid\n`)
  })
})

describe('curl that asks for HTTP/2', () => {
  if (!/^Features:.* HTTP2\b/m.test(spawnSync('curl', ['--version'], { encoding: 'utf8' }).stdout ?? '')) {
    test.skip('is not run: curl with HTTP/2 cannot be started on this machine')
    return
  }
  const curl = (...args: string[]): Promise<string> =>
    output(['curl', '--http2', '-s', '-w', '\n%{http_version} %{http_code}', ...args])

  test('reads a verdict over HTTP/1.1', async () => {
    const url = `${server.url}/api/v1/history/request_id/${requestId}`
    const printed = await curl('-H', `authorization: Bearer ${server.keys.api_key}`, url)
    expect(printed).toContain(`"request_id":"${requestId}"`)
    expect(printed).toMatch(/\n1\.1 200$/)
  })

  test('sends a body over HTTP/1.1', async () => {
    const posted = randomUUID()
    const url = `${server.url}/snapshot/${posted}?publicKey=${server.keys.public_key}`
    const printed = await curl(
      '-H',
      `origin: https://${server.keys.domain}`,
      '-d',
      '{"user_hid":"curl"}',
      url,
    )
    expect(printed).toMatch(/\n1\.1 200$/)
    expect((await rowOf(server, posted)).user_hid).toBe('curl')
  })
})

/** What a program prints; throws what it says when it fails. */
async function output([program = '', ...args]: string[], input: Uint8Array = Buffer.of()): Promise<string> {
  const child = spawn(program, args, { cwd: import.meta.dirname, stdio: 'pipe' })
  child.stdin.end(input)
  const [printed, complaint, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise((resolve, reject) => child.once('close', resolve).once('error', reject)),
  ])
  if (code !== 0) throw new Error(`${program} ended with ${code}: ${complaint}`)
  return printed
}
