import { expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { freePort } from '../../lib/free-port.ts'
import { type NodeMessageOutcome, openNodeLinks } from './node-links.ts'
import type { NodeMessage } from './shared-follow-ups.ts'

const KEY = Buffer.alloc(32, 1)
const message = (requestId: string): NodeMessage => ({ type: 'want', requestId })

/** A node with what it received, and a promise of what becomes of each message, in order. */
async function node({ key = KEY, now = Date.now }: { key?: Buffer; now?: () => number } = {}) {
  const self = `127.0.0.1:${await freePort('127.0.0.1')}`
  const received: unknown[] = []
  const outcomes: NodeMessageOutcome[] = []
  let wake = () => {}
  const links = await openNodeLinks({
    ...{ self, key, now },
    onMessage: (from, given) => void received.push([from, given]),
    counted(outcome) {
      outcomes.push(outcome)
      wake()
    },
  })
  onTestFinished(() => links.close())
  const counted = async (outcome: NodeMessageOutcome, times: number) => {
    while (outcomes.filter((one) => one === outcome).length < times)
      await new Promise<void>((resolve) => {
        wake = resolve
      })
  }
  return { self, received, counted, ...links }
}

test('messages arrive in their order, those before the connection stands included', async () => {
  const [a, b] = [await node(), await node()]
  for (const id of ['1', '2', '3']) a.send(b.self, message(id))
  await b.counted('received', 3)
  a.send(b.self, message('4'))
  await b.counted('received', 4)
  expect(b.received).toEqual(['1', '2', '3', '4'].map((id) => [a.self, message(id)]))
})

test('messages of another installation, recorded ones and strangers are refused', async () => {
  const b = await node()
  const other = await node({ key: Buffer.alloc(32, 2) })
  other.send(b.self, message('other'))
  await b.counted('refused', 1)
  const late = await node({ now: () => Date.now() - 61_000 })
  late.send(b.self, message('late'))
  await b.counted('refused', 2)
  const stranger = new WebSocket(`ws://${b.self}`)
  const closed = new Promise((resolve) => stranger.once('close', resolve))
  stranger.once('open', () => stranger.send('{"from":"me"}'))
  await closed
  expect(b.received).toEqual([])
})

test('what a dead node does not get is counted as lost, and a later one gets the next', async () => {
  const [a, b] = [await node(), await node()]
  await b.close()
  a.send(b.self, message('1'))
  await a.counted('lost', 1)
  const [host = '', port = ''] = b.self.split(':')
  const again = await openNodeLinks({
    ...{ self: `${host}:${port}`, key: KEY, now: Date.now, counted: () => {} },
    onMessage: (_from, given) => void b.received.push(given),
  })
  onTestFinished(() => again.close())
  a.send(b.self, message('2'))
  await a.counted('sent', 1)
  while (b.received.length === 0) await new Promise((resolve) => setImmediate(resolve))
  expect(b.received).toEqual([message('2')])
})
