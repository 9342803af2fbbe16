import type { UndirectedGraph as Graph } from 'graphology'
import forceAtlas2Module from 'graphology-layout-forceatlas2'
import type { EntityNetwork } from './entity-network.ts'

/** Its types claim a default export; the CommonJS module is the function itself. */
const forceAtlas2 = forceAtlas2Module as unknown as typeof forceAtlas2Module.default

/** Up to here a whole layout fits into a frame. */
const AT_ONCE_MAX = 150
const ITERATIONS = 200
/** Points at multiples of it around a centre never line up, however many there are. */
const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5))

/** Makes the drawn graph hold just this network. What is drawn already stays where it is. */
export function updateGraph(graph: Graph, network: EntityNetwork) {
  const kept = new Set([...network.nodes, ...network.edges].map(({ key }) => key))
  for (const key of graph.edges()) if (!kept.has(key)) graph.dropEdge(key)
  for (const key of graph.nodes()) if (!kept.has(key)) graph.dropNode(key)
  const beside = new Map(network.edges.flatMap(({ from, to }) => [[from, to] as const, [to, from] as const]))
  for (const [index, { key, type, identifications }] of network.nodes.entries()) {
    const size = 5 + Math.min(9, Math.log2(1 + identifications))
    const place = graph.hasNode(key) ? {} : placeNear(graph, beside.get(key), index)
    graph.mergeNode(key, { ...place, kind: type, size })
  }
  for (const { key, from, to, identifications } of network.edges) {
    const weight = Math.log2(1 + identifications)
    if (graph.hasEdge(key)) graph.mergeEdgeAttributes(key, { weight, size: weight / 2 })
    else graph.addEdgeWithKey(key, from, to, { weight, size: weight / 2 })
  }
}

/** A place that depends on nothing but the order of the nodes, so that a graph always gets the same layout. */
function placeNear(graph: Graph, neighbour: string | undefined, index: number) {
  const centre =
    neighbour !== undefined && graph.hasNode(neighbour) ? graph.getNodeAttributes(neighbour) : { x: 0, y: 0 }
  const [angle, radius] = [index * GOLDEN_ANGLE, 1 + Math.sqrt(index)]
  return { x: centre.x + radius * Math.cos(angle), y: centre.y + radius * Math.sin(angle) }
}

/**
 * Lays the graph out, a large one in steps that leave time for other work in each frame.
 * @returns stops it
 */
export function layOut(graph: Graph): () => void {
  const { order } = graph
  if (order < 2) return () => {}
  const settings = {
    ...forceAtlas2.inferSettings(order),
    edgeWeightInfluence: 1,
    adjustSizes: order <= AT_ONCE_MAX,
  }
  if (order <= AT_ONCE_MAX) {
    forceAtlas2.assign(graph, { iterations: ITERATIONS, settings })
    return () => {}
  }
  let left = ITERATIONS
  let frame = 0
  const step = () => {
    forceAtlas2.assign(graph, { iterations: 1, settings })
    left -= 1
    if (left > 0) frame = requestAnimationFrame(step)
  }
  frame = requestAnimationFrame(step)
  return () => cancelAnimationFrame(frame)
}
