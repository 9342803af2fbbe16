import { connect } from 'node:net'
import Fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { createErrorHandler } from '../http/error-handler.ts'
import { createLog } from '../lib/log.ts'
import { readBodies } from './read-bodies.ts'

const HELD_MAX = 1_000
const BODY_MAX = 800

/** Answers with the length of the body, once the test lets it. */
async function server() {
  const entered: (() => void)[] = []
  const app = Fastify()
  readBodies(app, ({ headers }) => headers['x-from']?.toString() ?? '91.0.0.1', HELD_MAX)
  app.setErrorHandler(createErrorHandler(createLog('silent')))
  app.post('/now', { bodyLimit: BODY_MAX }, (request) => String((request.body as Buffer).length))
  app.post('/later', { bodyLimit: BODY_MAX }, async () => {
    await new Promise<void>((resolve) => entered.push(resolve))
    return 'done'
  })
  /** When the server has seen the first connection end. */
  const disconnected = new Promise<void>((resolve) =>
    app.server.once('connection', (socket) => socket.once('close', () => resolve())),
  )
  onTestFinished(() => app.close())
  const port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port)
  const post = async (path: string, bytes: number) =>
    (await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', body: 'x'.repeat(bytes) })).status
  return { port, post, entered, disconnected }
}

test('the memory of bodies that wait for their answer is limited, and free after it', async () => {
  const { post, entered } = await server()
  const waiting = post('/later', 700)
  await expect.poll(() => entered.length).toBe(1)
  expect([await post('/now', 300), await post('/now', 301)]).toEqual([200, 503])
  entered[0]?.()
  expect(await waiting).toBe(200)
  await expect.poll(() => post('/now', 800)).toBe(200)
})

test('a body that breaks off frees its memory', async () => {
  const { port, post } = await server()
  const socket = connect(port, '127.0.0.1')
  socket.write(`POST /now HTTP/1.1\r\nHost: a\r\nContent-Length: 750\r\n\r\n${'x'.repeat(700)}`)
  await expect.poll(() => post('/now', 400)).toBe(503)
  socket.destroy()
  await expect.poll(() => post('/now', 800)).toBe(200)
})

test('bodies whose answers queue behind another one are freed when the connection breaks', async () => {
  const { port, post, entered, disconnected } = await server()
  const socket = connect(port, '127.0.0.1')
  const request = `POST /later HTTP/1.1\r\nHost: a\r\nContent-Length: 300\r\n\r\n${'x'.repeat(300)}`
  socket.write(request.repeat(3))
  await expect.poll(() => entered.length).toBe(3)
  socket.resetAndDestroy()
  await disconnected
  for (const enter of entered) enter()
  await expect.poll(() => post('/now', 800)).toBe(200)
  // Nor is anything given back twice.
  expect(await post('/now', 800)).toBe(200)
  const waiting = post('/later', 800)
  await expect.poll(() => entered.length).toBe(4)
  expect(await post('/now', 201)).toBe(503)
  entered[3]?.()
  await waiting
})

test('the body of a client that hangs up is freed when it has been processed', async () => {
  const { port, post, entered, disconnected } = await server()
  const socket = connect(port, '127.0.0.1')
  socket.write(`POST /later HTTP/1.1\r\nHost: a\r\nContent-Length: 700\r\n\r\n${'x'.repeat(700)}`)
  await expect.poll(() => entered.length).toBe(1)
  socket.resetAndDestroy()
  await disconnected
  expect([await post('/now', 300), await post('/now', 301)]).toEqual([200, 503])
  entered[0]?.()
  await expect.poll(() => post('/now', 800)).toBe(200)
})

test('half-sent bodies of one address give way to a body of another', async () => {
  const { port } = await server()
  const attackers = Array.from({ length: 3 }, () => {
    const socket = connect(port, '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    socket.write(`POST /now HTTP/1.1\r\nHost: a\r\nContent-Length: 750\r\n\r\n${'x'.repeat(330)}`)
    return new Promise<string>((resolve) => socket.once('data', (answer) => resolve(String(answer))))
  })
  const refused = Promise.race(attackers)
  await expect
    .poll(async () => {
      const answer = await fetch(`http://127.0.0.1:${port}/now`, {
        method: 'POST',
        headers: { 'x-from': '91.0.0.2' },
        body: 'x'.repeat(200),
      })
      return answer.status
    })
    .toBe(200)
  expect(await refused).toMatch(/^HTTP\/1\.1 503 /)
})

test('a body over its route’s limit is refused, whether its length was announced or not', async () => {
  const { port, post } = await server()
  expect(await post('/now', 801)).toBe(413)
  const chunked = await fetch(`http://127.0.0.1:${port}/now`, {
    method: 'POST',
    body: new Blob(['x'.repeat(801)]).stream(),
    duplex: 'half',
  } as RequestInit)
  expect(chunked.status).toBe(413)
})
