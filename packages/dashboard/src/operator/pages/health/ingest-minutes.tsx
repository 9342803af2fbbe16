import type { IngestMinute } from '@inkling/contract/account'
import { ScrollArea, Table } from '@mantine/core'
import { Section } from '../../parts/section.tsx'
import { Time } from '../../parts/time.tsx'

/** What came in of late, newest first. */
export const IngestMinutes = ({ minutes }: { minutes: readonly IngestMinute[] }) => (
  <Section
    title="Identifications of the last minutes"
    about="How long each took to be scored and on disk, which is when the browser is answered. Of this server process."
  >
    <ScrollArea viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': 'The last minutes' }}>
      <Table miw={460} verticalSpacing={4}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Minute from</Table.Th>
            <Table.Th ta="right">Identifications</Table.Th>
            <Table.Th ta="right">In a second</Table.Th>
            <Table.Th ta="right">Half within</Table.Th>
            <Table.Th ta="right">99 of 100 within</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {minutes.toReversed().map(({ at, identifications, p50_ms, p99_ms }) => (
            <Table.Tr key={at}>
              <Table.Td>
                <Time at={at} />
              </Table.Td>
              <Table.Td ta="right">{identifications.toLocaleString()}</Table.Td>
              <Table.Td ta="right">{(identifications / 60).toFixed(1)}</Table.Td>
              <Table.Td ta="right">{duration(p50_ms)}</Table.Td>
              <Table.Td ta="right">{duration(p99_ms)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollArea>
  </Section>
)

const duration = (ms: number | null): string => (ms === null ? '' : `${ms} ms`)
