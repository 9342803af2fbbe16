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

type GraphNode = EntityGraph['nodes'][number]

/** A node with its centre, in CSS pixels. */
export interface PlacedNode extends GraphNode {
  x: number
  y: number
}

interface PlacedEdge {
  from: PlacedNode
  to: PlacedNode
  identifications: number
}

interface GraphLayout {
  nodes: PlacedNode[]
  edges: PlacedEdge[]
  /** How many identifiers are not drawn. */
  more: number
  height: number
}

/** Distance of a centre from the edge, so that the node and its label fit. */
const EDGE_PX = { x: 44, top: 24, bottom: 40 }
const NODE_PX = 38
const NARROW_PX = 600
/** Nodes drawn of each type. */
const SHOWN_PER_TYPE = { narrow: 3, wide: 8 }
const TICKS = 260

interface Body extends SimulationNodeDatum {
  node: GraphNode
}

/** Places the entity in the middle, linked identifiers around it. A graph always gets the same layout. */
export function layOutGraph(graph: EntityGraph, widthPx: number): GraphLayout {
  const narrow = widthPx < NARROW_PX
  const kept = mostFrequent(graph, narrow ? SHOWN_PER_TYPE.narrow : SHOWN_PER_TYPE.wide)
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
  // Deterministic: d3-force starts from fixed positions and uses a random generator with a fixed seed.
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

/** The entity, and the most frequent identifiers of each type: they arrive in that order. */
function mostFrequent({ nodes: [self, ...others] }: EntityGraph, perType: number): GraphNode[] {
  if (!self) return []
  const seen = new Map<string, number>()
  const shown = others.filter(({ type }) => {
    const before = seen.get(type) ?? 0
    seen.set(type, before + 1)
    return before < perType
  })
  return [self, ...shown]
}

const keyOf = (node: GraphNode | undefined): string => `${node?.type} ${node?.value}`

/** Rounded to whole pixels, so that lines are sharp. */
const within = (position: number | undefined, min: number, max: number): number =>
  Math.round(Math.min(max, Math.max(min, position ?? min)))
