import { BAND_NAMES, type Overview } from '@inkling/contract/account'
import { Accordion, ScrollArea, Table } from '@mantine/core'
import { BAND_LABELS } from '../../parts/band.tsx'
import { bucketLabel } from './bucket-label.ts'
import { countText, scoreText } from './numbers.ts'

/** What the charts show, to be read. */
export const NumbersTable = ({ overview }: { overview: Overview }) => (
  <Accordion variant="contained">
    <Accordion.Item value="numbers">
      <Accordion.Control>The charts as a table</Accordion.Control>
      <Accordion.Panel>
        <ScrollArea viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': 'The charts as a table' }}>
          <Numbers overview={overview} />
        </ScrollArea>
      </Accordion.Panel>
    </Accordion.Item>
  </Accordion>
)

const HEADS = [
  'Identifications',
  'Average risk',
  ...BAND_NAMES.map((band) => BAND_LABELS[band]),
  'Visitors',
  'New visitors',
  'Devices',
  'New devices',
]

const Numbers = ({ overview: { bucket, buckets } }: { overview: Overview }) => (
  <Table miw={900} verticalSpacing={4}>
    <Table.Thead>
      <Table.Tr>
        <Table.Th>{bucket === 'hour' ? 'Hour' : 'Day, UTC'}</Table.Th>
        {HEADS.map((head) => (
          <Table.Th key={head} ta="right">
            {head}
          </Table.Th>
        ))}
      </Table.Tr>
    </Table.Thead>
    <Table.Tbody>
      {buckets.map((counts) => (
        <Table.Tr key={counts.from}>
          <Table.Th>{bucketLabel(counts.from, bucket)}</Table.Th>
          <Table.Td ta="right">{countText(counts.identifications)}</Table.Td>
          <Table.Td ta="right">{scoreText(counts.average_score)}</Table.Td>
          {BAND_NAMES.map((band) => (
            <Table.Td key={band} ta="right">
              {countText(counts.bands[band])}
            </Table.Td>
          ))}
          {(['visitors', 'new_visitors', 'devices', 'new_devices'] as const).map((name) => (
            <Table.Td key={name} ta="right">
              {countText(counts[name])}
            </Table.Td>
          ))}
        </Table.Tr>
      ))}
    </Table.Tbody>
  </Table>
)
