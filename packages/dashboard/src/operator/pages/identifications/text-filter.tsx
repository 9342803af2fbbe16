import { IdentificationFilters } from '@inkling/contract/account'
import { TextInput } from '@mantine/core'
import { type FormEvent, useEffect, useState } from 'react'
import type { FilterField } from './filter-fields.ts'
import { useTableSearch } from './use-table-search.ts'

type TextField = Extract<FilterField, { example: string }>

/** A filter that is typed; it counts when it is left or confirmed. */
export function TextFilter({ field: { name, label, example } }: { field: TextField }) {
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
        placeholder={`Such as ${example}`}
        value={text}
        error={isWrong ? 'A number from 0 to 999' : undefined}
        onChange={(event) => setText(event.currentTarget.value)}
        onBlur={apply}
      />
    </form>
  )
}
