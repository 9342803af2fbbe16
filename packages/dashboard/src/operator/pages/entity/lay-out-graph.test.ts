import type { EntityGraph } from '@inkling/contract/account'
import { expect, test } from 'vitest'
import { layOutGraph } from './lay-out-graph.ts'

const graph = (devices: number): EntityGraph => ({
  nodes: [
    { type: 'user_hid', value: 'ada', identifications: 9 },
    ...Array.from({ length: devices }, (_, index) => ({
      type: 'device_id' as const,
      value: `device ${index}`,
      identifications: 1,
    })),
  ],
  edges: Array.from({ length: devices }, (_, index) => ({ from: 0, to: index + 1, identifications: 1 })),
  more: { device_id: 4, visitor_id: 0, user_hid: 0, ip: 0, local_ip: 0, cookie_id: 0 },
})

test('a graph always gets the same layout, with the entity in the middle and no node outside', () => {
  const layout = layOutGraph(graph(8), 900)
  expect(layOutGraph(graph(8), 900)).toEqual(layout)
  expect(layout.nodes[0]).toMatchObject({ value: 'ada', x: 450, y: layout.height / 2 })
  expect(layout.nodes.every(({ x, y }) => x >= 0 && x <= 900 && y >= 0 && y <= layout.height)).toBe(true)
  expect(new Set(layout.nodes.map(({ x, y }) => `${x} ${y}`)).size).toBe(9)
  expect(layout.edges).toHaveLength(8)
  expect(layout.more).toBe(4)
})

test('a narrow graph shows fewer nodes and counts the rest', () => {
  const { nodes, edges, more } = layOutGraph(graph(8), 350)
  expect(nodes).toHaveLength(4)
  expect(edges).toHaveLength(3)
  expect(more).toBe(9)
})

test('an entity without links is drawn alone', () => {
  expect(layOutGraph(graph(0), 350).nodes).toHaveLength(1)
})
