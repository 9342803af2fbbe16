import type { UndirectedGraph } from 'graphology'
import forceAtlas2Module from 'graphology-layout-forceatlas2'

/** Its types claim a default export; the CommonJS module is the function itself. */
const forceAtlas2 = forceAtlas2Module as unknown as typeof forceAtlas2Module.default

/** Up to here a whole layout fits into a frame. */
export const AT_ONCE_MAX = 150

export function runLayout(graph: UndirectedGraph, iterations: number): void {
  const settings = {
    ...forceAtlas2.inferSettings(graph.order),
    edgeWeightInfluence: 1,
    adjustSizes: graph.order <= AT_ONCE_MAX,
  }
  forceAtlas2.assign(graph, { iterations, settings })
}

/** What the other thread starts with: numbers alone, which are handed over instead of copied. */
export interface LayoutTask {
  /** Two for each node. */
  places: Float32Array<ArrayBuffer>
  /** Two nodes for each line, by their numbers. */
  ends: Uint32Array<ArrayBuffer>
  /** Of the lines. */
  weights: Float32Array<ArrayBuffer>
  iterations: number
}
