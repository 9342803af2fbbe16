import { UndirectedGraph } from 'graphology'
import { type LayoutTask, runLayout } from './run-layout.ts'

/** Between two drawings of where the nodes are by now. */
const STEP = 20

/** Lays a graph out in a thread of its own, and tells the places of its nodes as it goes, in their order. */
self.onmessage = ({ data: { iterations, ...task } }: MessageEvent<LayoutTask>) => {
  const graph = graphOf(task)
  for (let left = iterations; left > 0; left -= STEP) {
    runLayout(graph, Math.min(STEP, left))
    self.postMessage(Float32Array.from(graph.nodes().flatMap((key) => placeOf(graph, key))))
  }
  self.close()
}

function graphOf({ places, ends, weights }: Omit<LayoutTask, 'iterations'>): UndirectedGraph {
  const graph = new UndirectedGraph()
  for (let node = 0; node < places.length / 2; node += 1)
    graph.addNode(node, { x: places[2 * node], y: places[2 * node + 1] })
  for (const [line, weight] of weights.entries())
    graph.addEdge(ends[2 * line], ends[2 * line + 1], { weight })
  return graph
}

function placeOf(graph: UndirectedGraph, key: string): [x: number, y: number] {
  const { x, y } = graph.getNodeAttributes(key)
  return [Number(x), Number(y)]
}
