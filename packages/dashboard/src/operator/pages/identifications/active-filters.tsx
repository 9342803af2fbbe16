import { Group, Pill } from '@mantine/core'
import { IDENTIFIER_LABELS } from '../../parts/identifier.tsx'
import { FILTER_FIELDS } from './filter-fields.ts'
import { FILTER_NAMES } from './read-search.ts'
import { useTableSearch } from './use-table-search.ts'

const LABELS: Record<string, string> = {
  ...IDENTIFIER_LABELS,
  from: 'From',
  to: 'Before',
  ...Object.fromEntries(FILTER_FIELDS.map(({ name, label }) => [name, label])),
}

/** What is filtered by, each to be taken away by itself. */
export function ActiveFilters() {
  const { search, change } = useTableSearch()
  const active = FILTER_NAMES.filter((name) => name !== 'sort' && search[name] !== undefined)
  if (active.length === 0) return null
  return (
    <Group gap={6} mb="sm" role="group" aria-label="Filters">
      {active.map((name) => (
        <Pill
          key={name}
          size="md"
          withRemoveButton
          removeButtonProps={{
            'aria-label': `Remove the filter ${LABELS[name]}`,
            tabIndex: 0,
            'aria-hidden': false,
          }}
          onRemove={() => change({ [name]: undefined })}
        >
          {LABELS[name]}: {valueLabel(name, search[name] ?? '')}
        </Pill>
      ))}
    </Group>
  )
}

function valueLabel(name: string, value: string): string {
  const field = FILTER_FIELDS.find((known) => known.name === name)
  const choice =
    field && 'choices' in field ? field.choices.find((known) => known.value === value) : undefined
  return choice?.label ?? value
}
