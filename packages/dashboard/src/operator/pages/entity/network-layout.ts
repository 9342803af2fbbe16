import { UndirectedGraph } from 'graphology'
import type { EntityNetwork } from './entity-network.ts'
import { shortened } from './network-looks.ts'
import { AT_ONCE_MAX, type LayoutTask, runLayout } from './run-layout.ts'

const ITERATIONS = 200
/** Points at multiples of it around a centre never line up, however many there are. */
const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5))

/** Nodes or lines that are added within a frame. */
const STEP = 2_500

/** Builds the graph of just this network, a step for each frame. What was drawn before stays where it was. */
export function* buildGraph(
  network: EntityNetwork,
  before: UndirectedGraph,
): Generator<void, UndirectedGraph, void> {
  const graph = new UndirectedGraph()
  const beside = new Map<string, string>()
  for (const { from, to } of network.edges) beside.set(from, to).set(to, from)
  for (const [index, { key, type, value, identifications }] of network.nodes.entries()) {
    if (index > 0 && index % STEP === 0) yield
    const neighbour = beside.get(key)
    const centre = [before, graph].find((known) => neighbour !== undefined && known.hasNode(neighbour))
    const { x, y } = before.hasNode(key)
      ? before.getNodeAttributes(key)
      : placeNear(centre?.getNodeAttributes(neighbour), index)
    const size = 5 + Math.min(9, Math.log2(1 + identifications))
    graph.addNode(key, { x, y, kind: type, size, label: shortened(type, value) })
  }
  for (const [index, { key, from, to, identifications }] of network.edges.entries()) {
    if (index % STEP === STEP - 1) yield
    const weight = Math.log2(1 + identifications)
    graph.addEdgeWithKey(key, from, to, { weight, size: weight / 2 })
  }
  return graph
}

interface Place {
  x: number
  y: number
}

/** A place that depends on nothing but the order of the nodes, so that a graph always gets the same layout. */
function placeNear(centre: Partial<Place> | undefined, index: number): Place {
  const [angle, radius] = [index * GOLDEN_ANGLE, 1 + Math.sqrt(index)]
  return {
    x: (centre?.x ?? 0) + radius * Math.cos(angle),
    y: (centre?.y ?? 0) + radius * Math.sin(angle),
  }
}

/**
 * Lays the graph out, a large one in another thread.
 * @returns stops it
 */
export function layOut(graph: UndirectedGraph): () => void {
  if (graph.order < 2) return () => {}
  if (graph.order > AT_ONCE_MAX) return layOutBeside(graph)
  runLayout(graph, ITERATIONS)
  return () => {}
}

function taskOf(graph: UndirectedGraph): LayoutTask {
  const places = new Float32Array(2 * graph.order)
  const ends = new Uint32Array(2 * graph.size)
  const weights = new Float32Array(graph.size)
  const numbers = new Map<string, number>()
  graph.forEachNode((key, { x, y }) => {
    places.set([x, y], 2 * numbers.size)
    numbers.set(key, numbers.size)
  })
  let line = 0
  graph.forEachEdge((_key, { weight }, from, to) => {
    ends.set([numbers.get(from) ?? 0, numbers.get(to) ?? 0], 2 * line)
    weights[line++] = weight
  })
  return { places, ends, weights, iterations: ITERATIONS }
}

function layOutBeside(graph: UndirectedGraph): () => void {
  const worker = new Worker(new URL('./layout-worker.ts', import.meta.url), { type: 'module' })
  // Not in the frame that draws the graph: reading a large one takes a while.
  let frame = requestAnimationFrame(() => {
    const task = taskOf(graph)
    worker.postMessage(task, [task.places.buffer, task.ends.buffer, task.weights.buffer])
  })
  worker.onmessage = ({ data: places }: MessageEvent<Float32Array>) => {
    cancelAnimationFrame(frame)
    frame = requestAnimationFrame(() => {
      let next = 0
      // One event for all of them, so that it is drawn once.
      graph.updateEachNodeAttributes(
        (_key, attributes) => ({ ...attributes, x: places[next++], y: places[next++] }),
        { attributes: ['x', 'y'] },
      )
    })
  }
  return () => {
    cancelAnimationFrame(frame)
    worker.terminate()
  }
}
