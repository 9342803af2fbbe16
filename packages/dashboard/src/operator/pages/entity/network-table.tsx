import { Button, Group, Table, Text } from '@mantine/core'
import { useState } from 'react'
import { countText } from '../../parts/format.tsx'
import { IDENTIFIER_LABELS, Identifier } from '../../parts/identifier.tsx'
import { ScrollTable } from '../../parts/layout.tsx'
import type { EntityNetwork } from './entity-network.ts'

/** So many more rows at a time. */
const PAGE_ROWS = 200

interface NetworkTableProps {
  network: EntityNetwork
  chosenKey: string | undefined
  onChoose: (key: string) => void
}

/** The graph for keyboards and screen readers: every node can be chosen and opened from here. */
export function NetworkTable({ network: { nodes, edges }, chosenKey, onChoose }: NetworkTableProps) {
  const [rows, setRows] = useState(PAGE_ROWS)
  const links = new Map<string, number>()
  for (const { from, to } of edges) for (const end of [from, to]) links.set(end, (links.get(end) ?? 0) + 1)
  return (
    <>
      <ScrollTable
        label="Nodes of the graph"
        head={['Kind', 'Value', 'Visits', 'Lines', 'Choose']}
        numeric={['Visits', 'Lines']}
      >
        {nodes.slice(0, rows).map(({ key, type, value, identifications }) => (
          <Table.Tr key={key}>
            <Table.Td>{IDENTIFIER_LABELS[type]}</Table.Td>
            <Table.Td>
              <Identifier type={type} value={value} short />
            </Table.Td>
            <Table.Td ta="right">{identifications}</Table.Td>
            <Table.Td ta="right">{links.get(key) ?? 0}</Table.Td>
            <Table.Td>
              <Button
                size="compact-xs"
                variant="default"
                aria-label={`Choose ${IDENTIFIER_LABELS[type]} ${value}`}
                aria-pressed={key === chosenKey}
                onClick={() => onChoose(key)}
              >
                Choose
              </Button>
            </Table.Td>
          </Table.Tr>
        ))}
      </ScrollTable>
      {nodes.length > rows && (
        <Group gap="sm">
          <Text size="sm" className="dim" role="status">
            The first {countText(rows)} of {countText(nodes.length)}.
          </Text>
          <Button size="compact-xs" variant="default" onClick={() => setRows(rows + PAGE_ROWS)}>
            Show more
          </Button>
        </Group>
      )}
    </>
  )
}
