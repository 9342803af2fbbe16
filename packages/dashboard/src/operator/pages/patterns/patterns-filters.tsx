import { PATTERN_CATALOGUE, PATTERN_GRADES, PATTERN_NAMES } from '@inkling/contract'
import { Select, SimpleGrid } from '@mantine/core'
import { BAND_LABELS } from '../../parts/band.tsx'
import { type PatternsSearch, readPatternsSearch } from './read-patterns-search.ts'

interface PatternsFiltersProps {
  search: PatternsSearch
  change(search: PatternsSearch): void
}

const FIELDS = [
  {
    name: 'pattern',
    label: 'Pattern',
    data: PATTERN_NAMES.map((value) => ({ value, label: PATTERN_CATALOGUE[value].title })),
  },
  {
    name: 'grade',
    label: 'Grade',
    data: PATTERN_GRADES.map((value) => ({ value, label: BAND_LABELS[value] })),
  },
] as const

const STATES = [
  { value: 'open', label: 'Holds now' },
  { value: 'resolved', label: 'Resolved' },
  { value: 'all', label: 'All' },
]

export const PatternsFilters = ({ search, change }: PatternsFiltersProps) => (
  <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="xs" mb="sm">
    {FIELDS.map(({ name, label, data }) => (
      <Select
        key={name}
        label={label}
        placeholder="Any"
        clearable
        clearButtonProps={{ 'aria-label': `Any ${label.toLowerCase()}` }}
        data={data}
        value={search[name] ?? null}
        onChange={(chosen) => change(readPatternsSearch({ ...search, [name]: chosen ?? undefined }))}
      />
    ))}
    <Select
      label="State"
      allowDeselect={false}
      data={STATES}
      value={search.state ?? 'open'}
      onChange={(chosen) => change(readPatternsSearch({ ...search, state: chosen ?? undefined }))}
    />
  </SimpleGrid>
)
