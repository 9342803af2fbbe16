import type { SearchType } from '@inkling/contract'
import type { ErasurePreview as Preview } from '@inkling/contract/account'
import { Checkbox, Stack, Table, Text } from '@mantine/core'
import { countedText } from '../../parts/format.tsx'
import { IDENTIFIER_LABELS } from '../../parts/identifier.tsx'

export interface Identifier {
  type: SearchType
  value: string
}

/** An identifier that can be erased together with the given one, with the identifications that have it. */
export type Offered = Preview['linked'][number]

export const isAmong = (identifiers: readonly Identifier[], { type, value }: Identifier): boolean =>
  identifiers.some((one) => one.type === type && one.value === value)

interface ErasurePreviewProps {
  preview: Preview
  offered: readonly Offered[]
  included: readonly Identifier[]
  include(included: readonly Identifier[]): void
}

/** What an erasure would remove, with the other identifiers in the same rows to choose from. */
export function ErasurePreview({ preview, offered, included, include }: ErasurePreviewProps) {
  return (
    <Stack gap="xs">
      <Text size="sm">
        {preview.complete ? '' : 'At least '}
        {countedText(preview.rows, 'identification')} would be erased.
      </Text>
      <Table aria-label="Rows that would be erased">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Table</Table.Th>
            <Table.Th>Rows</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {preview.tables
            .filter(({ rows }) => rows > 0)
            .map(({ table, rows }) => (
              <Table.Tr key={table}>
                <Table.Td>{table.replaceAll('_', ' ')}</Table.Td>
                <Table.Td>{rows}</Table.Td>
              </Table.Tr>
            ))}
        </Table.Tbody>
      </Table>
      {preview.mentions.length > 0 && (
        <Text size="sm">
          These texts name the identifiers and stay, because they are about others. Change them yourself:{' '}
          {preview.mentions.map(({ table, rows }) => `${table.replaceAll('_', ' ')} (${rows})`).join(', ')}.
        </Text>
      )}
      {offered.length > 0 && (
        <Stack gap={6} role="group" aria-label="Erase these identifiers, too">
          <Text size="sm">
            Other identifiers in these rows. Include those of the same person; others may share an address or
            a device.
          </Text>
          {offered.map(({ type, value, rows }) => (
            <Checkbox
              key={`${type} ${value}`}
              label={`${IDENTIFIER_LABELS[type]} ${value} (${countedText(rows, 'identification')})`}
              checked={isAmong(included, { type, value })}
              onChange={(event) =>
                include(
                  event.currentTarget.checked
                    ? [...included, { type, value }]
                    : included.filter((one) => one.type !== type || one.value !== value),
                )
              }
            />
          ))}
        </Stack>
      )}
    </Stack>
  )
}
