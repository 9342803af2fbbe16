import type { Band, ListName } from '@inkling/contract'
import type { ListEntry } from '@inkling/contract/account'
import { Button, Table, Text } from '@mantine/core'
import { useState } from 'react'
import { useMay } from '../api/rights.ts'
import { useApiMutation } from '../api/use-api.ts'
import { StatusBadge, Tag } from './badges.tsx'
import { ConfirmDialog } from './dialogs.tsx'
import { attempt } from './feedback.tsx'
import { Time } from './format.tsx'
import { Identifier } from './identifier.tsx'
import { ScrollTable } from './layout.tsx'
import { IDENTIFIER_OF_KIND, KIND_LABELS, LIST_LABELS } from './list-words.ts'

const TONES: Record<ListName, Band> = { deny: 'dangerous', allow: 'trusted', watch: 'suspicious' }

export const ListBadge = ({ list }: { list: ListName }) => (
  <StatusBadge tone={TONES[list]}>{LIST_LABELS[list]}</StatusBadge>
)

/** The value of an entry, with a link to its page where it has one. */
export function ListedValue({ kind, value }: { kind: string; value: string }) {
  const type = IDENTIFIER_OF_KIND[kind as keyof typeof IDENTIFIER_OF_KIND]
  return type ? <Identifier type={type} value={value} short /> : <span className="mono">{value}</span>
}

const Until = ({ at }: { at: string | null }) =>
  at === null ? (
    'no end'
  ) : (
    <>
      <Time at={at} /> {Date.parse(at) <= Date.now() && <Tag>ended</Tag>}
    </>
  )

interface ListEntriesTableProps {
  domain: string
  entries: readonly ListEntry[]
}

/** Entries of lists, each of which an owner can remove. */
export function ListEntriesTable({ domain, entries }: ListEntriesTableProps) {
  const mayChange = useMay('lists:write')
  const remove = useApiMutation('removeListEntry', ['listEntries'])
  const [asked, setAsked] = useState<ListEntry>()
  return (
    <>
      <ScrollTable
        label="Entries of the lists"
        head={['List', 'Kind', 'Value', 'Reason', 'Counts until', 'Saved', ...(mayChange ? ['Remove'] : [])]}
        miw={760}
        withTableBorder
      >
        {entries.map((entry) => (
          <Table.Tr key={entry.id}>
            <Table.Td>
              <ListBadge list={entry.list} />
            </Table.Td>
            <Table.Td>{KIND_LABELS[entry.kind]}</Table.Td>
            <Table.Td>
              <ListedValue kind={entry.kind} value={entry.value} />
            </Table.Td>
            <Table.Td>{entry.reason}</Table.Td>
            <Table.Td>
              <Until at={entry.expires_at} />
            </Table.Td>
            <Table.Td>
              <Time at={entry.created_at} />
              <Text size="xs" className="dim">
                {entry.author}
              </Text>
            </Table.Td>
            {mayChange && (
              <Table.Td>
                <Button
                  size="compact-sm"
                  variant="default"
                  aria-label={`Remove ${entry.value} from ${entry.list}`}
                  onClick={() => setAsked(entry)}
                >
                  Remove
                </Button>
              </Table.Td>
            )}
          </Table.Tr>
        ))}
      </ScrollTable>
      <ConfirmDialog
        opened={asked !== undefined}
        close={() => setAsked(undefined)}
        title="Remove the entry?"
        action="Remove"
        confirm={() =>
          attempt('The entry was removed.', () =>
            remove.mutateAsync({ params: { domain, entry_id: asked?.id ?? 0 } }),
          )
        }
      >
        <code>{asked?.value}</code> leaves the {asked?.list} list. Visits that matched it keep that it did.
      </ConfirmDialog>
    </>
  )
}
