import type { EntityGraph } from '@inkling/contract/account'
import {
  forceCollide,
  forceLink,
  forceManyBody,
  forceSimulation,
  forceX,
  forceY,
  type SimulationLinkDatum,
  type SimulationNodeDatum,
} from 'd3-force'

export type GraphNode = EntityGraph['nodes'][number]

/** A node with the place of its centre, CSS pixels. */
export interface PlacedNode extends GraphNode {
  x: number
  y: number
}

export interface PlacedEdge {
  from: PlacedNode
  to: PlacedNode
  identifications: number
}

export interface GraphLayout {
  nodes: PlacedNode[]
  edges: PlacedEdge[]
  /** Identifiers that are not shown. */
  more: number
  height: number
}

/** Room for a node and its label. */
const EDGE_PX = { x: 44, top: 24, bottom: 40 }
const NODE_PX = 38
const NARROW_PX = 600
/** As many of a kind as there is room for. */
const OF_KIND = { narrow: 3, wide: 8 }
const TICKS = 260

interface Body extends SimulationNodeDatum {
  node: GraphNode
}

/** Places the entity in the middle and around it what occurs with it. The same graph lies the same each time. */
export function layOutGraph(graph: EntityGraph, widthPx: number): GraphLayout {
  const narrow = widthPx < NARROW_PX
  const kept = keep(graph, narrow ? OF_KIND.narrow : OF_KIND.wide)
  const height = narrow ? 420 : 460
  const middle = { x: widthPx / 2, y: height / 2 }
  const bodies = kept.map(
    (node, index): Body => (index === 0 ? { node, fx: middle.x, fy: middle.y } : { node }),
  )
  const known = new Map(bodies.map((body) => [keyOf(body.node), body]))
  const links = graph.edges.flatMap(({ from, to, identifications }) => {
    const [source, target] = [from, to].map((index) => known.get(keyOf(graph.nodes[index])))
    return source && target ? [{ source, target, identifications }] : []
  })
  // It starts from fixed places and draws its own fixed numbers, so nothing is left to chance.
  forceSimulation(bodies)
    .force(
      'link',
      forceLink<Body, SimulationLinkDatum<Body>>(links)
        .distance(narrow ? 80 : 130)
        .strength(0.25),
    )
    .force('apart', forceManyBody().strength(narrow ? -260 : -520))
    .force('collide', forceCollide(NODE_PX))
    .force('x', forceX(middle.x).strength(narrow ? 0.12 : 0.03))
    .force('y', forceY(middle.y).strength(narrow ? 0.08 : 0.12))
    .stop()
    .tick(TICKS)
  const placed = new Map(
    bodies.map((body) => [
      body,
      {
        ...body.node,
        x: within(body.x, EDGE_PX.x, widthPx - EDGE_PX.x),
        y: within(body.y, EDGE_PX.top, height - EDGE_PX.bottom),
      },
    ]),
  )
  const left = Object.values(graph.more).reduce((sum, count) => sum + count, 0)
  return {
    nodes: [...placed.values()],
    edges: links.flatMap(({ source, target, identifications }) => {
      const [from, to] = [placed.get(source), placed.get(target)]
      return from && to ? [{ from, to, identifications }] : []
    }),
    more: left + graph.nodes.length - kept.length,
    height,
  }
}

/** The entity, and the first of each kind; they come most frequent first. */
function keep({ nodes: [self, ...others] }: EntityGraph, most: number): GraphNode[] {
  if (!self) return []
  const seen = new Map<string, number>()
  const shown = others.filter(({ type }) => {
    const before = seen.get(type) ?? 0
    seen.set(type, before + 1)
    return before < most
  })
  return [self, ...shown]
}

const keyOf = (node: GraphNode | undefined): string => `${node?.type} ${node?.value}`

/** Whole pixels, so that lines are sharp. */
const within = (place: number | undefined, least: number, most: number): number =>
  Math.round(Math.min(most, Math.max(least, place ?? least)))
