import { UndirectedGraph } from 'graphology'
import { type LayoutTask, runLayout } from './run-layout.ts'

/** Between two drawings of where the nodes are by now. */
const STEP = 20

/** Lays a graph out in a thread of its own, and tells the places of its nodes as it goes, in their order. */
self.onmessage = ({ data: { graph: exported, iterations } }: MessageEvent<LayoutTask>) => {
  const graph = UndirectedGraph.from(exported) as UndirectedGraph
  for (let left = iterations; left > 0; left -= STEP) {
    runLayout(graph, Math.min(STEP, left))
    self.postMessage(Float32Array.from(graph.nodes().flatMap((key) => placeOf(graph, key))))
  }
  self.close()
}

function placeOf(graph: UndirectedGraph, key: string): [x: number, y: number] {
  const { x, y } = graph.getNodeAttributes(key)
  return [Number(x), Number(y)]
}
