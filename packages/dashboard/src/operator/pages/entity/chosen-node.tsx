import { Button, Group, Text } from '@mantine/core'
import { countedText } from '../../parts/format.tsx'
import { IDENTIFIER_LABELS, Identifier } from '../../parts/identifier.tsx'
import type { NetworkNode, NodeName } from './entity-network.ts'

interface ChosenNodeProps {
  node: NetworkNode
  canOpen: boolean
  open: (node: NodeName) => void
}

/** What the graph knows of the node that was chosen, and the way to its neighbours. */
export const ChosenNode = ({ node, canOpen, open }: ChosenNodeProps) => (
  <Group gap="sm" role="group" aria-label="Chosen identifier">
    <Text size="sm" fw={600}>
      {IDENTIFIER_LABELS[node.type]}
    </Text>
    <Identifier type={node.type} value={node.value} copy />
    <Text size="sm">{countedText(node.identifications, 'identification')}</Text>
    {canOpen && !node.opened && (
      <Button size="xs" onClick={() => open(node)}>
        Open neighbours
      </Button>
    )}
    {node.left > 0 && (
      <Text size="sm" className="dim">
        {countedText(node.left, 'more neighbour')}: the page behind the link lists up to 50 of each kind.
      </Text>
    )}
    {!canOpen && (
      <Text size="sm" className="dim">
        The link leads to its identifications.
      </Text>
    )}
  </Group>
)
