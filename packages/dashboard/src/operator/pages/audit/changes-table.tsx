import type { AuditRecord } from '@inkling/contract/account'
import { Table } from '@mantine/core'
import { Time } from '../../parts/format.tsx'
import { ScrollTable } from '../../parts/layout.tsx'

interface ChangesTableProps {
  records: readonly AuditRecord[]
  /** Left out where all changes are of one domain. */
  hasTarget?: boolean
}

export const ChangesTable = ({ records, hasTarget = true }: ChangesTableProps) => (
  <ScrollTable
    label="Changes"
    head={['Time', 'User', 'Action', ...(hasTarget ? ['Target'] : []), 'Details']}
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
        {hasTarget && <Table.Td>{target}</Table.Td>}
        <Table.Td>
          {Object.entries(detail)
            .map(([name, value]) => `${name}: ${value}`)
            .join(', ')}
        </Table.Td>
      </Table.Tr>
    ))}
  </ScrollTable>
)
