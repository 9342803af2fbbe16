import type { EntitySummary } from '@inkling/contract/account'
import { Group, Text } from '@mantine/core'
import { useMay } from '../../api/rights.ts'
import { useApiQuery } from '../../api/use-api.ts'
import { Loaded } from '../../parts/feedback.tsx'
import { Section } from '../../parts/layout.tsx'
import { ListEntriesTable } from '../../parts/list-entries-table.tsx'
import { AddListEntry } from '../../parts/list-entry-dialog.tsx'
import { KIND_OF_IDENTIFIER } from '../../parts/list-words.ts'

type EntityListsProps = Pick<EntitySummary, 'type' | 'value'> & { domain: string }

/** The entries of the lists that name the entity itself; those of networks around it are on its visits. */
export function EntityLists({ domain, type, value }: EntityListsProps) {
  const mayChange = useMay('lists:write')
  const kind = KIND_OF_IDENTIFIER[type]
  const query = useApiQuery('listEntries', { params: { domain }, query: { kind, exact_value: value } })
  return (
    <Section title="Lists" about="Entries that name it. They do not change scores, only what is decided.">
      <Loaded query={query}>
        {({ data }) =>
          data.length === 0 ? (
            <Text size="sm">It is on no list.</Text>
          ) : (
            <ListEntriesTable domain={domain} entries={data} />
          )
        }
      </Loaded>
      {mayChange && (
        <Group>
          <AddListEntry domain={domain} title="Add to a list" offered={[{ kind, value }]} quiet />
        </Group>
      )}
    </Section>
  )
}
