import type { AuditRecord } from '@inkling/contract/account'
import { ScrollArea, Table } from '@mantine/core'
import { useApi } from '../../api/use-api.ts'
import { usePages } from '../../api/use-pages.ts'
import { Empty } from '../../parts/empty.tsx'
import { Failed } from '../../parts/failed.tsx'
import { LoadMore } from '../../parts/load-more.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Time } from '../../parts/time.tsx'
import { Waiting } from '../../parts/waiting.tsx'

export function AuditPage() {
  const api = useApi()
  const { entries, error, waiting, hasMore, loadMore, retry } = usePages(['listAudit'], (query, signal) =>
    api.ask('listAudit', { query }, signal),
  )
  return (
    <>
      <PageHead title="Audit log" about="Every change, here and at the command line, newest first." />
      {error && <Failed error={error} retry={retry} />}
      {waiting && <Waiting />}
      {!waiting && !error && entries.length === 0 && <Empty title="Nothing was changed yet" />}
      {entries.length > 0 && <Records records={entries} />}
      <LoadMore hasMore={hasMore} load={loadMore} />
    </>
  )
}

const Records = ({ records }: { records: readonly AuditRecord[] }) => (
  <ScrollArea viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': 'Changes' }}>
    <Table miw={640} withTableBorder verticalSpacing={6}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Time</Table.Th>
          <Table.Th>Who</Table.Th>
          <Table.Th>What</Table.Th>
          <Table.Th>On what</Table.Th>
          <Table.Th>Detail</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {records.map(({ id, at, actor, action, target, detail }) => (
          <Table.Tr key={id}>
            <Table.Td>
              <Time at={at} />
            </Table.Td>
            <Table.Td>{actor}</Table.Td>
            <Table.Td>
              <code>{action}</code>
            </Table.Td>
            <Table.Td>{target}</Table.Td>
            <Table.Td>
              {Object.entries(detail)
                .map(([name, value]) => `${name}: ${value}`)
                .join(', ')}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </ScrollArea>
)
