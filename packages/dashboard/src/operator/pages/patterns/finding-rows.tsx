import type { HistoryRow } from '@inkling/contract'
import { ScrollArea, Table } from '@mantine/core'
import { ScoreBadge } from '../../parts/band.tsx'
import { Identifier } from '../../parts/identifier.tsx'
import { Section } from '../../parts/section.tsx'
import { Time } from '../../parts/time.tsx'

/** The identifications that made a finding. */
export const FindingRows = ({ rows }: { rows: readonly HistoryRow[] }) => (
  <Section title={`Identifications that made it (${rows.length})`}>
    <ScrollArea viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': 'Identifications that made it' }}>
      <Table miw={820} verticalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Time</Table.Th>
            <Table.Th>Request ID</Table.Th>
            <Table.Th>Score</Table.Th>
            <Table.Th>Account</Table.Th>
            <Table.Th>Device</Table.Th>
            <Table.Th>IP address</Table.Th>
            <Table.Th>Country</Table.Th>
            <Table.Th>Connection</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={row.request_id}>
              <Table.Td>
                <Time at={row.created_at} />
              </Table.Td>
              <Table.Td>
                <Identifier type="request_id" value={row.request_id} short />
              </Table.Td>
              <Table.Td>
                <ScoreBadge score={row.score} />
              </Table.Td>
              <Table.Td>
                <Identifier type="user_hid" value={row.user_hid} />
              </Table.Td>
              <Table.Td>
                <Identifier type="device_id" value={row.device_id} short />
              </Table.Td>
              <Table.Td>
                <Identifier type="ip" value={row.ip} />
              </Table.Td>
              <Table.Td>{row.country === '' ? 'unknown' : row.country}</Table.Td>
              <Table.Td>{row.connection_type}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollArea>
  </Section>
)
