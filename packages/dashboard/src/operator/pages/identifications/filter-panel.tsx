import { Button, Group, Select, SimpleGrid, TextInput } from '@mantine/core'
import { momentOf } from '../../parts/time.tsx'
import { FILTER_FIELDS } from './filter-fields.ts'
import { FILTER_NAMES, type TableSearch } from './read-search.ts'
import { TextFilter } from './text-filter.tsx'
import { useTableSearch } from './use-table-search.ts'

/** Every filter besides the identifiers; all that are set must match. */
export function FilterPanel() {
  const { search, change, replace } = useTableSearch()
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2, sm: 3, lg: 4 }} spacing="xs" mb="sm">
        {FILTER_FIELDS.map((field) =>
          'choices' in field ? (
            <Select
              key={field.name}
              label={field.label}
              placeholder="Any"
              clearable
              clearButtonProps={{ 'aria-label': `Any ${field.label.toLowerCase()}` }}
              searchable={field.choices.length > 8}
              data={field.choices}
              value={search[field.name] ?? null}
              onChange={(chosen) => change({ [field.name]: chosen ?? undefined })}
            />
          ) : (
            <TextFilter key={field.name} field={field} />
          ),
        )}
        <DateFilter name="from" label="From" />
        <DateFilter name="to" label="Before" />
      </SimpleGrid>
      <Group mb="sm">
        <Button
          size="xs"
          variant="default"
          onClick={() =>
            replace(
              Object.fromEntries(
                Object.entries(search).filter(([name]) => !(FILTER_NAMES as string[]).includes(name)),
              ),
            )
          }
        >
          Clear all filters
        </Button>
      </Group>
    </>
  )
}

/** In the reader's own zone; the address carries UTC. */
function DateFilter({ name, label }: { name: 'from' | 'to'; label: string }) {
  const { search, change } = useTableSearch()
  return (
    <TextInput
      type="datetime-local"
      label={label}
      value={localText(search[name])}
      onChange={(event) => {
        const moment = new Date(event.currentTarget.value)
        change({ [name]: Number.isNaN(moment.getTime()) ? undefined : moment.toISOString() } as TableSearch)
      }}
    />
  )
}

function localText(at: string | undefined): string {
  if (at === undefined) return ''
  const moment = momentOf(at)
  const shifted = new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000)
  return shifted.toISOString().slice(0, 16)
}
