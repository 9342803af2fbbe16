import { Button, Collapse, Group, Switch } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Icon } from '../../parts/icon.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { ActiveFilters } from './active-filters.tsx'
import { ColumnMenu } from './column-menu.tsx'
import { ExportIdentifications } from './export-identifications.tsx'
import { FilterPanel } from './filter-panel.tsx'
import { IdentificationsTable } from './identifications-table.tsx'
import { identifierOf } from './read-search.ts'
import { SearchBox } from './search-box.tsx'
import { useTableSearch } from './use-table-search.ts'

export function IdentificationsPage() {
  const { domain, search, change } = useTableSearch()
  const [filtering, { toggle }] = useDisclosure(false)
  const searched = identifierOf(search)
  return (
    <>
      <PageHead title="Identifications" about={`Visits of ${domain}, newest first unless sorted otherwise.`}>
        <Switch
          label="Live"
          checked={search.live === 'on'}
          onChange={(event) =>
            change({ live: event.currentTarget.checked ? 'on' : undefined, sort: undefined })
          }
        />
        <ExportIdentifications />
      </PageHead>
      <Group gap="xs" mb="sm" align="flex-start">
        <SearchBox key={`${searched?.type} ${searched?.value}`} />
        <Button
          variant="default"
          leftSection={<Icon name="filter" size={16} />}
          onClick={toggle}
          aria-expanded={filtering}
        >
          Filters
        </Button>
        <ColumnMenu />
      </Group>
      <Collapse expanded={filtering} keepMounted={false}>
        <FilterPanel />
      </Collapse>
      <ActiveFilters />
      <IdentificationsTable />
    </>
  )
}
