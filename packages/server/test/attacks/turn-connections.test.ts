import { connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { openTurnTcp } from '../../src/observe/turn/turn-listeners.ts'

/** TCP connections to the network check that send nothing. Loopback has many addresses. */

async function open(port: number, localAddress: string): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => {}).resume()
  await new Promise((resolve) => socket.once('connect', resolve).once('close', resolve))
  return socket
}

const isClosed = (socket: Socket): Promise<boolean> =>
  socket.destroyed
    ? Promise.resolve(true)
    : new Promise((resolve) => socket.once('close', () => resolve(true)))

test('an address that takes every place of the network check gives one up to each visitor', async () => {
  let refused = 0
  const onRefused = () => {
    refused += 1
  }
  const turn = await openTurnTcp('127.0.0.1', 0, () => undefined, { onRefused, connectionsMax: 40 })
  onTestFinished(turn.close)
  const flood = await Promise.all(Array.from({ length: 50 }, () => open(turn.port, '127.0.0.66')))
  await expect.poll(() => refused).toBe(50 - 32)
  const second = await Promise.all(Array.from({ length: 8 }, () => open(turn.port, '127.0.0.67')))

  const visitors = await Promise.all(
    Array.from({ length: 10 }, (_, index) => open(turn.port, `127.0.0.${index + 1}`)),
  )
  await expect.poll(() => refused).toBe(50 - 32 + 10)
  const held = flood.filter((socket) => !socket.destroyed)
  expect(held.length).toBeLessThanOrEqual(32 - 10)
  expect(await Promise.all(flood.slice(0, 3).map(isClosed))).not.toContain(false)
  expect([...visitors, ...second].filter((socket) => socket.destroyed)).toEqual([])
})
