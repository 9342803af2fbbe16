import { PATTERN_CATALOGUE } from '@inkling/contract'
import { Alert, Anchor, Button, Group, Pill, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useApiQuery } from '../../api/use-api.ts'
import { countedText, countText } from '../../parts/format.tsx'
import { IDENTIFIER_LABELS } from '../../parts/identifier.tsx'
import { filterLabel, negatedName, valueLabel } from './filter-fields.ts'
import {
  FILTER_NAMES,
  filtersOf,
  invalidValues,
  SEVERAL_NAMES,
  useTableSearch,
  valuesOf,
  withoutFilters,
} from './table-search.ts'

/** The filters that are set, each value with a button that removes it, and how many rows match them. */
export function ActiveFilters() {
  const { search, replace } = useTableSearch()
  const active = FILTER_NAMES.filter((name) => name !== 'sort' && search[name] !== undefined)
  const invalid = invalidValues(search)
  const isOfFinding = search.finding !== undefined && !invalid.some(([name]) => name === 'finding')
  return (
    <>
      {invalid.length > 0 && (
        <Alert color="orange" mb="sm" role="alert" title="Part of the link is not understood">
          {invalid.map(([name, value]) => `${filterLabel(name)}: ${value}`).join(', ')}. The visits below are
          not filtered by it.
        </Alert>
      )}
      {isOfFinding && <OfFinding finding={search.finding ?? ''} />}
      {active.length > 0 && (
        <Group gap="xs" mb="xs" role="group" aria-label="Filters">
          {active.map((name) => (
            <FilterPills key={name} name={name} />
          ))}
          <Button size="compact-sm" variant="default" onClick={() => replace(withoutFilters(search))}>
            Clear all
          </Button>
        </Group>
      )}
      <Total />
    </>
  )
}

function FilterPills({ name }: { name: (typeof FILTER_NAMES)[number] }) {
  const { search, change } = useTableSearch()
  const values = valuesOf(search, name)
  const label = filterLabel(name)
  const several = SEVERAL_NAMES.find((known) => known === name)
  const remove = (value: string): void =>
    change({ [name]: several ? values.filter((one) => one !== value) : undefined })
  return (
    <Group gap={4}>
      <Text size="sm" span>
        {several ? `${label} is ${negatedName(name) ? 'none' : 'any'} of` : `${label}:`}
      </Text>
      {[...new Set(values)].map((value) => (
        <Pill
          key={value}
          size="md"
          withRemoveButton
          removeButtonProps={{
            'aria-label': several
              ? `Remove ${valueLabel(name, value)} from filter ${label}`
              : `Remove filter ${label}`,
            tabIndex: 0,
            'aria-hidden': false,
          }}
          onRemove={() => remove(value)}
        >
          {valueLabel(name, value)}
        </Pill>
      ))}
    </Group>
  )
}

const LIVE_REFRESH_MS = 5_000

/** How many rows match, in live mode counted anew all the time. */
function Total() {
  const { domain, search } = useTableSearch()
  const { sort: _, ...query } = filtersOf(search)
  const isLive = search.live === 'on'
  const { data } = useApiQuery(
    'countIdentifications',
    { params: { domain }, query },
    { refetchInterval: isLive && LIVE_REFRESH_MS },
  )
  if (!data) return null
  const { total, complete } = data
  return (
    <Text size="sm" mb="xs" className="dim" {...(!isLive && { role: 'status' })}>
      {complete
        ? `${countedText(total, 'identification')} ${total === 1 ? 'matches' : 'match'}`
        : `At least ${countText(total)} identifications match`}
    </Text>
  )
}

/** Leads back to the pattern whose evidence is shown. */
function OfFinding({ finding }: { finding: string }) {
  const { domain } = useTableSearch()
  const { data } = useApiQuery('getPattern', { params: { domain, finding_id: Number(finding) } })
  if (!data) return null
  const { pattern, entity_type, entity_value } = data.finding
  return (
    <Text size="sm" mb="sm">
      Visits in the evidence of{' '}
      <Anchor
        inherit
        underline="always"
        renderRoot={(props) => (
          <Link {...props} to="/d/$domain/patterns/$findingId" params={{ domain, findingId: finding }} />
        )}
      >
        {PATTERN_CATALOGUE[pattern].title}
      </Anchor>
      : {IDENTIFIER_LABELS[entity_type]} {entity_value}
    </Text>
  )
}
