import { IdentificationSearch, valuesMax } from '@inkling/contract/account'
import { Group, Input, MultiSelect, NativeSelect, SimpleGrid, TagsInput, TextInput } from '@mantine/core'
import { type FormEvent, type ReactNode, useEffect, useId, useState } from 'react'
import { parseTime } from '../../parts/format.tsx'
import { IDENTIFIERS } from '../../parts/identifier.tsx'
import { FILTER_FIELDS, type FilterField } from './filter-fields.ts'
import { chosenAmong, identifierProblem, type TableSearch, useTableSearch, valuesOf } from './table-search.ts'

/** All filters. A row has to match every filter that is set. */
export const FilterPanel = () => (
  <SimpleGrid cols={{ base: 1, xs: 2, sm: 3, lg: 4 }} spacing="xs" mb="sm">
    {FILTER_FIELDS.map((field) => (
      <ValuesFilter key={field.name} field={field} />
    ))}
    <ScoreFilter name="score_min" label="Score from" example="0" />
    <ScoreFilter name="score_max" label="Score to" example="100" />
    <DateFilter name="from" label="From" />
    <DateFilter name="to" label="Before" />
  </SimpleGrid>
)

/** Values of which a row has to have one, or may have none. An address may have both; one of them is edited here. */
function ValuesFilter({ field }: { field: FilterField }) {
  const { search, change } = useTableSearch()
  const id = useId()
  const negation = `not_${field.name}` as const
  const isOnlyNegated = valuesOf(search, field.name).length === 0 && valuesOf(search, negation).length > 0
  const [isNegated, setNegated] = useState(isOnlyNegated)
  const [problem, setProblem] = useState<string>()
  useEffect(() => {
    if (isOnlyNegated) setNegated(true)
  }, [isOnlyNegated])
  const name = isNegated ? negation : field.name
  const other = isNegated ? field.name : negation
  const values = valuesOf(search, name)
  const type = IDENTIFIERS.find((known) => known === field.name)

  function negate(wanted: boolean): void {
    setNegated(wanted)
    // What the address has under the other name already stays as it is.
    if (wanted !== isNegated && values.length > 0 && valuesOf(search, other).length === 0)
      change({ [name]: undefined, [other]: values })
  }
  function choose(chosen: string[]): void {
    const problems = chosen.flatMap((value) => (type && identifierProblem({ type, value })) ?? [])
    setProblem(problems[0])
    // Somebody who types fast chooses again before the address has the choice before.
    if (problems.length === 0)
      change((latest) => ({ [name]: chosenAmong(valuesOf(latest, name), values, chosen) }))
  }
  const shared = {
    id,
    value: [...values],
    onChange: choose,
    clearable: true,
    clearButtonProps: { 'aria-label': `Any ${field.label.toLowerCase()}` },
  }
  return (
    <Input.Wrapper error={problem}>
      <Group justify="space-between" gap={4} wrap="nowrap">
        <Input.Label htmlFor={id}>{field.label}</Input.Label>
        <NativeSelect
          size="xs"
          variant="unstyled"
          aria-label={`How ${field.label.toLowerCase()} is compared`}
          data={[
            { value: 'any', label: 'is any of' },
            { value: 'none', label: 'is none of' },
          ]}
          value={isNegated ? 'none' : 'any'}
          onChange={(event) => negate(event.currentTarget.value === 'none')}
        />
      </Group>
      {'choices' in field ? (
        <MultiSelect
          {...shared}
          maxValues={valuesMax(name)}
          data={[...field.choices]}
          searchable={field.choices.length > 8}
          {...(values.length === 0 && { placeholder: 'Any' })}
        />
      ) : (
        <TagsInput
          {...shared}
          maxTags={valuesMax(name)}
          // Pasted lists of identifiers are split; accounts and names may have such characters of their own.
          splitChars={type && type !== 'user_hid' ? [',', ' ', '\n', '\t'] : []}
          acceptValueOnBlur
          {...(values.length === 0 && { placeholder: `e.g. ${field.example}` })}
        />
      )}
    </Input.Wrapper>
  )
}

/** Shown in the reader's own time zone; the address holds UTC. */
function DateFilter({ name, label }: { name: 'from' | 'to'; label: string }) {
  const { search, change } = useTableSearch()
  const { text, setText } = useFieldText(localText(search[name]))

  function apply(): void {
    if (text === localText(search[name])) return
    const time = new Date(text)
    change({ [name]: Number.isNaN(time.getTime()) ? undefined : time.toISOString() } as TableSearch)
  }
  return (
    <AppliedField apply={apply}>
      <TextInput
        type="datetime-local"
        label={label}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onBlur={apply}
      />
    </AppliedField>
  )
}

function localText(at: string | undefined): string {
  if (at === undefined) return ''
  const time = parseTime(at)
  if (Number.isNaN(time.getTime())) return ''
  const shifted = new Date(time.getTime() - time.getTimezoneOffset() * 60_000)
  return shifted.toISOString().slice(0, 16)
}

interface ScoreFilterProps {
  name: 'score_min' | 'score_max'
  label: string
  example: string
}

function ScoreFilter({ name, label, example }: ScoreFilterProps) {
  const { search, change } = useTableSearch()
  const set = search[name] ?? ''
  const { text, setText } = useFieldText(set)
  const isWrong = text !== '' && !IdentificationSearch.shape[name].safeParse(text).success

  function apply(): void {
    if (!isWrong && text !== set) change({ [name]: text })
  }
  return (
    <AppliedField apply={apply}>
      <TextInput
        label={label}
        placeholder={`e.g. ${example}`}
        value={text}
        error={isWrong ? 'Enter a number from 0 to 999.' : undefined}
        onChange={(event) => setText(event.currentTarget.value)}
        onBlur={apply}
      />
    </AppliedField>
  )
}

/** What is typed, until the address has another value. */
function useFieldText(set: string) {
  const [text, setText] = useState(set)
  useEffect(() => setText(set), [set])
  return { text, setText }
}

/**
 * A field that applies when it loses focus or Enter is pressed: half a year or score would search, and be a step back in the
 * history, at each key.
 */
const AppliedField = ({ apply, children }: { apply(): void; children: ReactNode }) => (
  <form
    onSubmit={(event: FormEvent) => {
      event.preventDefault()
      apply()
    }}
  >
    {children}
  </form>
)
