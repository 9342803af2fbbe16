import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { measureRoundTrips } from './round-trips.ts'

const ROUND_TRIP_MS = 40

test('pongs that nobody asked for make a round trip no shorter', async () => {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const client = new WebSocket(`ws://127.0.0.1:${port}`, { autoPong: false })
  onTestFinished(() => client.terminate())
  const [[socket]] = (await Promise.all([once(server, 'connection'), once(client, 'open')])) as [
    [WebSocket],
    unknown,
  ]
  let atMs = 0
  client.on('ping', (payload: Buffer) => {
    client.pong('')
    // Once the empty one has arrived.
    socket.once('pong', () =>
      setImmediate(() => {
        atMs += ROUND_TRIP_MS
        client.pong(payload)
      }),
    )
  })
  const measured = await measureRoundTrips(socket, { tcpMinMs: () => 35, monotonicMs: () => atMs })
  expect(measured?.applicationMinMs).toBe(ROUND_TRIP_MS)
})
