import type { EntityGraph } from '@inkling/contract/account'

export type NodeType = EntityGraph['nodes'][number]['type']

export interface NodeName {
  type: NodeType
  value: string
}

export interface NetworkNode extends NodeName {
  key: string
  /** Among the visits of the entities that were opened; the highest count that one of them gave. */
  identifications: number
  /** Set once its own neighbours are in the network. */
  opened: boolean
  /** Neighbours that the server left out; 0 until it is opened. */
  left: number
}

export interface NetworkEdge {
  key: string
  from: string
  to: string
  identifications: number
  lastSeenMs: number
}

export interface EntityNetwork {
  nodes: NetworkNode[]
  edges: NetworkEdge[]
}

export interface NetworkFilter {
  hidden: ReadonlySet<NodeType>
  /** Only what was seen together since then; undefined for any time. */
  sinceMs: number | undefined
}

export const keyOf = ({ type, value }: NodeName): string => `${type} ${value}`

/** One network of all graphs that were opened. Each graph starts with the entity that it is about. */
export function joinGraphs(graphs: readonly EntityGraph[]): EntityNetwork {
  const nodes = new Map<string, NetworkNode>()
  const edges = new Map<string, NetworkEdge>()
  for (const graph of graphs) {
    const left = Object.values(graph.more).reduce((sum, count) => sum + count, 0)
    const keys = graph.nodes.map(keyOf)
    for (const [index, { type, value, identifications }] of graph.nodes.entries()) {
      const key = keys[index] ?? ''
      const known = nodes.get(key)
      nodes.set(key, {
        key,
        type,
        value,
        identifications: Math.max(known?.identifications ?? 0, identifications),
        opened: known?.opened || index === 0,
        left: index === 0 ? left : (known?.left ?? 0),
      })
    }
    for (const edge of graph.edges) {
      const [from, to] = [keys[edge.from], keys[edge.to]]
      if (from === undefined || to === undefined) continue
      addEdge(edges, {
        from: from < to ? from : to,
        to: from < to ? to : from,
        identifications: edge.identifications,
        lastSeenMs: Date.parse(edge.last_seen_at),
      })
    }
  }
  return { nodes: [...nodes.values()], edges: [...edges.values()] }
}

/** Two graphs count the same visits, so the higher count is kept rather than their sum. */
function addEdge(
  edges: Map<string, NetworkEdge>,
  { from, to, identifications, lastSeenMs }: Omit<NetworkEdge, 'key'>,
) {
  const key = `${from} – ${to}`
  const known = edges.get(key)
  edges.set(key, {
    key,
    from,
    to,
    identifications: Math.max(known?.identifications ?? 0, identifications),
    lastSeenMs: Math.max(known?.lastSeenMs ?? 0, lastSeenMs),
  })
}

/** What the filter leaves. The first node always stays, and under a time only nodes that have a line left. */
export function filterNetwork(network: EntityNetwork, { hidden, sinceMs }: NetworkFilter): EntityNetwork {
  if (hidden.size === 0 && sinceMs === undefined) return network
  const first = network.nodes[0]?.key
  const ofKind = new Set(
    network.nodes.flatMap(({ key, type }) => (key === first || !hidden.has(type) ? [key] : [])),
  )
  const edges = network.edges.filter(
    ({ from, to, lastSeenMs }) =>
      ofKind.has(from) && ofKind.has(to) && (sinceMs === undefined || lastSeenMs >= sinceMs),
  )
  const joined = new Set(edges.flatMap(({ from, to }) => [from, to]))
  const nodes = network.nodes.filter(
    ({ key }) => key === first || (ofKind.has(key) && (sinceMs === undefined || joined.has(key))),
  )
  return { nodes, edges }
}
