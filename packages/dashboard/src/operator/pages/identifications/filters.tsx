import {
  AGENT_CATEGORIES,
  AGENT_STANDINGS,
  BAND_NAMES,
  DETECTION_FLAGS,
  PATTERN_CATALOGUE,
  SIGNAL_CATALOGUE,
} from '@inkling/contract'
import { IdentificationFilters } from '@inkling/contract/account'
import { Alert, Anchor, Button, Group, Pill, Select, SimpleGrid, Text, TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useEffect, useState } from 'react'
import { useApiQuery } from '../../api/use-api.ts'
import { BAND_LABELS } from '../../parts/badges.tsx'
import { parseTime, words } from '../../parts/format.tsx'
import { IDENTIFIER_LABELS } from '../../parts/identifier.tsx'
import { FILTER_NAMES, invalidFilters, type TableSearch, useTableSearch } from './table-search.ts'

interface Choice {
  value: string
  label: string
}

/** A filter with fixed choices, or free text that must equal the value in the row. */
type FilterField =
  | { name: FilterName; label: string; choices: readonly Choice[] }
  | { name: FilterName; label: string; example: string }

type FilterName =
  | 'band'
  | 'signal'
  | 'flag'
  | 'pattern'
  | 'connection_type'
  | 'device_type'
  | 'country'
  | 'browser'
  | 'os'
  | 'agent_identity'
  | 'agent_category'
  | 'agent'
  | 'score_min'
  | 'score_max'

const choice = (name: string): Choice => ({ value: name, label: words(name) })

/** The values that a History row can have. */
const CONNECTION_TYPES = [
  'direct',
  'mobile',
  'vpn',
  'proxy',
  'tor',
  'privacy_relay',
  'browser_vpn_proxy',
  'unknown',
]
const DEVICE_TYPES = ['desktop', 'mobile', 'tablet', 'unknown']

const FILTER_FIELDS: readonly FilterField[] = [
  { name: 'band', label: 'Band', choices: BAND_NAMES.map((value) => ({ value, label: BAND_LABELS[value] })) },
  { name: 'score_min', label: 'Score from', example: '0' },
  { name: 'score_max', label: 'Score to', example: '100' },
  {
    name: 'signal',
    label: 'Signal',
    choices: Object.entries(SIGNAL_CATALOGUE).map(([value, { title }]) => ({ value, label: title })),
  },
  { name: 'flag', label: 'Flag', choices: DETECTION_FLAGS.map(({ flag }) => choice(flag)) },
  {
    name: 'pattern',
    label: 'Pattern',
    choices: Object.entries(PATTERN_CATALOGUE).map(([value, { title }]) => ({ value, label: title })),
  },
  { name: 'connection_type', label: 'Connection', choices: CONNECTION_TYPES.map(choice) },
  { name: 'device_type', label: 'Device type', choices: DEVICE_TYPES.map(choice) },
  { name: 'country', label: 'Country', example: 'Germany' },
  { name: 'browser', label: 'Browser', example: 'Firefox' },
  { name: 'os', label: 'System', example: 'Windows' },
  {
    name: 'agent_identity',
    label: 'Declared agent',
    choices: [{ value: 'any', label: 'any identity' }, ...AGENT_STANDINGS.map(choice)],
  },
  { name: 'agent_category', label: 'Kind of agent', choices: AGENT_CATEGORIES.map(choice) },
  { name: 'agent', label: 'Name of agent', example: 'GPTBot' },
]

/** All filters except the identifiers. A row has to match every filter that is set. */
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

/** Shown in the reader's own time zone; the address holds UTC. */
function DateFilter({ name, label }: { name: 'from' | 'to'; label: string }) {
  const { search, change } = useTableSearch()
  return (
    <TextInput
      type="datetime-local"
      label={label}
      value={localText(search[name])}
      onChange={(event) => {
        const time = new Date(event.currentTarget.value)
        change({ [name]: Number.isNaN(time.getTime()) ? undefined : time.toISOString() } as TableSearch)
      }}
    />
  )
}

function localText(at: string | undefined): string {
  if (at === undefined) return ''
  const time = parseTime(at)
  if (Number.isNaN(time.getTime())) return ''
  const shifted = new Date(time.getTime() - time.getTimezoneOffset() * 60_000)
  return shifted.toISOString().slice(0, 16)
}

type TextField = Extract<FilterField, { example: string }>

/** Applies when the field loses focus or Enter is pressed. */
function TextFilter({ field: { name, label, example } }: { field: TextField }) {
  const { search, change } = useTableSearch()
  const set = search[name] ?? ''
  const [text, setText] = useState(set)
  useEffect(() => setText(set), [set])
  const isWrong = text !== '' && !IdentificationFilters.shape[name].safeParse(text).success

  function apply(): void {
    if (!isWrong && text !== set) change({ [name]: text === '' ? undefined : text })
  }
  return (
    <form
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        apply()
      }}
    >
      <TextInput
        label={label}
        placeholder={`e.g. ${example}`}
        value={text}
        error={isWrong ? 'Enter a number from 0 to 999.' : undefined}
        onChange={(event) => setText(event.currentTarget.value)}
        onBlur={apply}
      />
    </form>
  )
}

const LABELS: Record<string, string> = {
  ...IDENTIFIER_LABELS,
  from: 'From',
  to: 'Before',
  finding: 'Pattern no.',
  ...Object.fromEntries(FILTER_FIELDS.map(({ name, label }) => [name, label])),
}

/** The filters that are set, each with a button that removes it. */
export function ActiveFilters() {
  const { search, change } = useTableSearch()
  const active = FILTER_NAMES.filter((name) => name !== 'sort' && search[name] !== undefined)
  const invalid = invalidFilters(search)
  if (active.length + invalid.length === 0) return null
  return (
    <>
      {invalid.length > 0 && (
        <Alert color="orange" mb="sm" role="alert" title="Part of the address means nothing">
          {invalid.map((name) => `${LABELS[name] ?? name}: ${search[name]}`).join(', ')}. The visits below are
          not filtered by it.
        </Alert>
      )}
      {search.finding !== undefined && !invalid.includes('finding') && <OfFinding finding={search.finding} />}
      <Group gap={6} mb="sm" role="group" aria-label="Filters">
        {active.map((name) => (
          <Pill
            key={name}
            size="md"
            withRemoveButton
            removeButtonProps={{
              'aria-label': `Remove filter ${LABELS[name]}`,
              tabIndex: 0,
              'aria-hidden': false,
            }}
            onRemove={() => change({ [name]: undefined })}
          >
            {LABELS[name]}: {valueLabel(name, search[name] ?? '')}
          </Pill>
        ))}
      </Group>
    </>
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

function valueLabel(name: string, value: string): string {
  const field = FILTER_FIELDS.find((known) => known.name === name)
  const found = field && 'choices' in field ? field.choices.find((known) => known.value === value) : undefined
  return found?.label ?? value
}
