import { UndirectedGraph } from 'graphology'
import { expect, test } from 'vitest'
import type { EntityNetwork } from './entity-network.ts'
import { buildGraph } from './network-layout.ts'

/** A star of so many nodes, the first in its centre. */
function star(count: number): EntityNetwork {
  const nodes = Array.from({ length: count }, (_, index) => ({
    key: `ip ${index}`,
    type: 'ip' as const,
    value: `${index}`,
    identifications: 1,
    opened: index === 0,
    left: 0,
  }))
  const edges = nodes.slice(1).map(({ key }) => ({
    key: `ip 0 – ${key}`,
    from: 'ip 0',
    to: key,
    identifications: 1,
    lastSeenMs: 0,
  }))
  return { nodes, edges }
}

/** The graph, and how many frames building it took. */
function built(network: EntityNetwork, before = new UndirectedGraph()) {
  const building = buildGraph(network, before)
  for (let frames = 1; ; frames += 1) {
    const { done, value } = building.next()
    if (done) return { graph: value, frames }
  }
}

test('a small graph is built within one frame, a large one in several, and both are whole', () => {
  const [small, large] = [built(star(100)), built(star(6_000))]
  expect([small.frames, small.graph.order, small.graph.size]).toEqual([1, 100, 99])
  expect(large.frames).toBeGreaterThan(3)
  expect([large.graph.order, large.graph.size]).toEqual([6_000, 5_999])
})

test('what was drawn before stays where it was', () => {
  const { graph } = built(star(3))
  graph.mergeNodeAttributes('ip 2', { x: 123, y: 45 })
  const { graph: next } = built(star(5), graph)
  expect(next.getNodeAttributes('ip 2')).toMatchObject({ x: 123, y: 45 })
})
