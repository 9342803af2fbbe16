import { randomUUID } from 'node:crypto'
import { NIL_UUID } from '@inkling/contract'
import { expect, test } from 'vitest'
import { ipv4ToNumber } from '../../lib/ipv4-number.ts'
import { uuidBytesOrNil } from '../../lib/uuid.ts'
import type { EntityRow } from '../../store/identifications/identifications.ts'
import { linkGraph } from './link-graph.ts'

const ids = (): Record<'device' | 'visitor' | 'cookie', string> => ({
  device: randomUUID(),
  visitor: randomUUID(),
  cookie: randomUUID(),
})

const row = (
  { device, visitor, cookie }: ReturnType<typeof ids>,
  user_hid = 'ada',
  ip = '91.0.0.1',
): EntityRow => ({
  created_at: 0,
  score: 0,
  device_id: uuidBytesOrNil(device),
  visitor_id: uuidBytesOrNil(visitor),
  cookie_id: uuidBytesOrNil(cookie),
  user_hid,
  ip: ipv4ToNumber(ip) ?? null,
  country: 'Germany',
  browser: 'Chrome',
  os: 'Windows',
})

test('the entity comes first, and what was seen together is joined as often as it was seen', () => {
  const [home, work] = [ids(), ids()]
  const graph = linkGraph([row(home), row(home), row(work)], { type: 'user_hid', value: 'ada' })
  expect(graph.nodes[0]).toEqual({ type: 'user_hid', value: 'ada', identifications: 3 })
  const joined = (a: string, b: string) =>
    graph.edges.find(({ from, to }) =>
      [from, to].every((index) => [a, b].includes(graph.nodes[index]?.value ?? '')),
    )?.identifications
  expect(joined('ada', home.device)).toBe(2)
  expect(joined('ada', work.device)).toBe(1)
  expect(joined(home.device, home.cookie)).toBe(2)
  expect(joined(home.device, work.cookie)).toBeUndefined()
  expect(graph.more.device_id).toBe(0)
})

test('a knot stays readable: the most frequent are shown, the others counted', () => {
  const rows = Array.from({ length: 40 }, (_, index) => row(ids(), `account-${index}`, `91.0.0.${index}`))
  const graph = linkGraph([row(ids(), 'often'), row(ids(), 'often'), ...rows], {
    type: 'ip',
    value: '91.0.0.1',
  })
  expect(graph.nodes.filter(({ type }) => type === 'user_hid').map(({ value }) => value)).toContain('often')
  expect(graph.nodes.filter(({ type }) => type === 'user_hid')).toHaveLength(8)
  expect(graph.more.user_hid).toBe(33)
  expect(graph.nodes.length).toBeLessThanOrEqual(41)
  expect(graph.edges.length).toBeLessThanOrEqual(90)
})

test('what strangers share is no node', () => {
  const nobody = { device: NIL_UUID, visitor: NIL_UUID, cookie: NIL_UUID }
  const graph = linkGraph([row(nobody, 'anonymous')], { type: 'ip', value: '91.0.0.1' })
  expect(graph.nodes).toHaveLength(1)
  expect(graph.edges).toEqual([])
})
