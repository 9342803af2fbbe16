import type { EntityGraph } from '@inkling/contract/account'
import { Text } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { countedText } from '../../parts/format.tsx'
import { destination, IDENTIFIER_LABELS } from '../../parts/identifier.tsx'
import { Section } from '../../parts/layout.tsx'
import { layOutGraph, type PlacedNode } from './lay-out-graph.ts'
import classes from './link-graph.module.css'

/** Letters, so that colour is never the only sign. */
const LETTERS: Record<PlacedNode['type'], string> = {
  device_id: 'D',
  visitor_id: 'V',
  user_hid: 'A',
  ip: 'IP',
  local_ip: 'L',
  cookie_id: 'C',
}
const RADIUS_PX = { self: 18, other: 14 }
const LABEL_LENGTH = 12

interface LinkGraphProps {
  graph: EntityGraph
  domain: string
}

/** Identifiers that were seen in the same visits, as a static graph of links. */
export function LinkGraph({ graph, domain }: LinkGraphProps) {
  const { ref, width } = useElementSize<HTMLElement>()
  const layout = useMemo(() => (width > 0 ? layOutGraph(graph, width) : undefined), [graph, width])
  return (
    <Section
      title="Linked identifiers"
      about="A line joins identifiers that were seen in the same visits; the more visits, the thicker the line. The tables below list the same data."
    >
      <nav ref={ref} aria-label="Graph of linked identifiers">
        {layout && (
          <svg className={classes.graph} viewBox={`0 0 ${width} ${layout.height}`} height={layout.height}>
            <title>Identifiers seen in the same visits</title>
            {layout.edges.map(({ from, to, identifications }) => (
              <line
                key={`${from.type} ${from.value} ${to.type} ${to.value}`}
                className={classes.edge}
                x1={from.x}
                y1={from.y}
                x2={to.x}
                y2={to.y}
                strokeWidth={1 + Math.log2(identifications) / 2}
              />
            ))}
            {layout.nodes.map((node, index) => (
              <Node key={`${node.type} ${node.value}`} node={node} isSelf={index === 0} domain={domain} />
            ))}
          </svg>
        )}
      </nav>
      <Text size="sm" className="dim">
        D device, V visitor, A account, IP address, L local IP, C cookie
        {layout && layout.more > 0 ? `; ${layout.more} more are not drawn.` : '.'}
      </Text>
    </Section>
  )
}

interface NodeProps {
  node: PlacedNode
  isSelf: boolean
  domain: string
}

function Node({ node: { type, value, identifications, x, y }, isSelf, domain }: NodeProps) {
  const radius = isSelf ? RADIUS_PX.self : RADIUS_PX.other
  const visits = countedText(identifications, 'identification')
  const name = `${IDENTIFIER_LABELS[type]} ${value}, ${visits}`
  return (
    <Link
      {...destination(domain, type, value)}
      className={classes.node ?? ''}
      data-type={type}
      {...(isSelf && { 'data-self': true })}
    >
      <title>{name}</title>
      <circle cx={x} cy={y} r={radius} />
      <text className={classes.letter} x={x} y={y}>
        {LETTERS[type]}
      </text>
      <text className={classes.label} x={x} y={y + radius + 14}>
        {shortened(type, value)}
      </text>
    </Link>
  )
}

function shortened(type: PlacedNode['type'], value: string): string {
  if (type === 'ip' || type === 'local_ip') return value
  if (type !== 'user_hid') return `${value.slice(0, 8)}…`
  return value.length > LABEL_LENGTH ? `${value.slice(0, LABEL_LENGTH - 1)}…` : value
}
