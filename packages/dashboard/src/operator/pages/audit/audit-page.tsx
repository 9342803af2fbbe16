import { Table } from '@mantine/core'
import { useApi, usePages } from '../../api/use-api.ts'
import { Empty, LoadedPages } from '../../parts/feedback.tsx'
import { Time } from '../../parts/format.tsx'
import { PageHead, ScrollTable } from '../../parts/layout.tsx'

export function AuditPage() {
  const api = useApi()
  const pages = usePages(['listAudit'], (query, signal) => api.call('listAudit', { query }, signal))
  return (
    <>
      <PageHead about="Every change made here or on the command line, newest first." />
      <LoadedPages pages={pages} empty={<Empty title="No changes yet" />}>
        {(records) => (
          <ScrollTable
            label="Changes"
            head={['Time', 'User', 'Action', 'Target', 'Details']}
            miw={640}
            withTableBorder
          >
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
          </ScrollTable>
        )}
      </LoadedPages>
    </>
  )
}
