import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { request } from 'node:https'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { TLSSocket } from 'node:tls'
import { HistoryPage } from '@inkling/contract'
import { describe, expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../packages/server/src/lib/free-port.ts'
import { ordinaryBody } from '../../packages/server/test/contract/bodies.ts'
import { findNginx, whyNoNginx } from '../../packages/server/test/netns/find-nginx.ts'
import { runningServer, type TestServer } from '../../packages/server/test/running-server.ts'
import { selfSignedCertificate } from '../../packages/server/test/self-signed-certificate.ts'
import { temporaryDirectory } from '../../packages/server/test/temporary-store.ts'

const CONFIG = join(import.meta.dirname, '../../deploy/nginx/nginx.conf')
const LOOPBACK = '127.0.0.1'
/** Visitors at different addresses; nginx is at 127.0.0.1. */
const VISITORS = Array.from({ length: 12 }, (_, index) => `127.0.1.${index + 1}`)

interface Node extends TestServer {
  cert: string
}

/** A node with its own certificate, which shows a visitor which node responded. */
async function node(): Promise<Node> {
  const directory = await temporaryDirectory()
  const { cert, key } = await selfSignedCertificate()
  const files = { TLS_CERT: join(directory, 'cert.pem'), TLS_KEY: join(directory, 'key.pem') }
  await Promise.all([writeFile(files.TLS_CERT, cert), writeFile(files.TLS_KEY, key)])
  const server = await runningServer({ settings: { ...files, TRUST_PROXY: `${LOOPBACK}/32` } })
  return { ...server, cert }
}

/** The deployed file with other ports, nodes and writable paths. */
async function startNginx(nodes: readonly Node[]): Promise<number> {
  const { program, streamModule } = findNginx() ?? { program: '', streamModule: '' }
  const directory = await temporaryDirectory()
  const port = await freePort(LOOPBACK)
  const config = (await readFile(CONFIG, 'utf8'))
    .replace('listen 8443', `listen ${LOOPBACK}:${port}`)
    .replace(/node-(\d):8080/g, (_, number) => `${LOOPBACK}:${nodes[number - 1]?.port}`)
    .replace('/tmp/nginx.pid', join(directory, 'nginx.pid'))
    .replace('worker_processes auto', 'worker_processes 1')
  const file = join(directory, 'nginx.conf')
  await writeFile(
    file,
    `load_module ${streamModule};\ndaemon off;\n${config.replace('stderr warn', 'stderr notice')}`,
  )
  const args = ['-p', directory, '-c', file, '-e', 'stderr']
  expect(spawnSync(program, ['-t', ...args], { encoding: 'utf8' }).stderr).toContain('test is successful')
  const nginx = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  onTestFinished(() => stop(nginx))
  let said = ''
  while (!said.includes('start worker process ')) said += String((await once(nginx.stderr, 'data'))[0])
  nginx.stderr.resume()
  return port
}

async function stop(program: ChildProcess): Promise<void> {
  const ended = once(program, 'exit')
  program.kill('SIGQUIT')
  await ended
}

interface Ask {
  port: number
  path: string
  from?: string
  body?: string
  headers?: Record<string, string>
}

/** Sends a request on a new connection. Returns the response and the server's certificate. */
async function ask({ port, path, from = LOOPBACK, body, headers }: Ask) {
  const question = request({
    host: LOOPBACK,
    port,
    path,
    localAddress: from,
    agent: false,
    rejectUnauthorized: false,
    method: body === undefined ? 'GET' : 'POST',
    headers: headers ?? {},
  })
  question.end(body)
  const [answer] = await once(question, 'response')
  const raw = (answer.socket as TLSSocket).getPeerX509Certificate()
  return { status: answer.statusCode, text: await text(answer), cert: raw?.toString().trim() }
}

const why = whyNoNginx()

describe.skipIf(why !== undefined)(
  `nginx before two nodes${why === undefined ? '' : `: not run, ${why}`}`,
  () => {
    test('keeps every visitor’s address and TLS, and sends all of its requests to one node', async () => {
      const nodes = await Promise.all([node(), node()])
      const port = await startNginx(nodes)
      const met = new Set<Node>()
      for (const from of VISITORS) {
        const certs = await Promise.all(
          [1, 2, 3].map(async () => (await ask({ port, path: '/health', from })).cert),
        )
        const [reached] = nodes.filter(({ cert }) => certs.every((seen) => seen === cert.trim()))
        if (!reached) throw new Error(`the connections of ${from} went to different nodes`)
        if (met.has(reached)) continue
        met.add(reached)
        await expectVisit(reached, port, from)
      }
      expect(met.size).toBe(2)
    })

    test('continues with the remaining node', async () => {
      const nodes = await Promise.all([node(), node()])
      const lone = { ...nodes[1], port: await freePort(LOOPBACK) } as Node
      const port = await startNginx([nodes[0], lone])
      const answers = await Promise.all(VISITORS.map((from) => ask({ port, path: '/health', from })))
      expect(answers.map(({ status }) => status)).toEqual(VISITORS.map(() => 200))
    })
  },
)

/** One visit through nginx, and its row. */
async function expectVisit({ keys, port: own }: Node, port: number, from: string): Promise<void> {
  const id = randomUUID()
  const sent = await ask({
    port,
    from,
    path: `/snapshot/${id}?publicKey=${keys.public_key}`,
    headers: { origin: `https://${keys.domain}` },
    body: ordinaryBody(),
  })
  expect(sent.status).toBeLessThan(300)
  const authorization = `Bearer ${keys.api_key}`
  const read = (path: string) => ask({ port: own, path: `/api/v1/${path}`, headers: { authorization } })
  const [row] = HistoryPage.parse(JSON.parse((await read(`history/request_id/${id}`)).text)).data
  expect(row?.ip).toBe(from)
  const explanation = JSON.parse((await read(`explanation/${id}`)).text)
  expect(explanation.network).toMatchObject({
    tls: { available: true },
    headers: { available: true },
  })
}
