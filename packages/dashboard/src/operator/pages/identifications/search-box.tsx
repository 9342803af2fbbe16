import { SEARCH_TYPES, type SearchType } from '@inkling/contract'
import { Button, Group, Select, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { Icon } from '../../parts/icon.tsx'
import { IDENTIFIER_LABELS } from '../../parts/identifier.tsx'
import { identifierOf, whyNotSearchable, withIdentifier } from './read-search.ts'
import { useTableSearch } from './use-table-search.ts'

/** Search by one of the seven identifiers. */
export function SearchBox() {
  const { search, replace } = useTableSearch()
  const searched = identifierOf(search)
  const [type, setType] = useState<SearchType>(searched?.type ?? 'user_hid')
  const [text, setText] = useState(searched?.value ?? '')
  const [problem, setProblem] = useState<string>()

  function submit(event: FormEvent): void {
    event.preventDefault()
    const value = text.trim()
    const found = value === '' ? undefined : { type, value }
    const wrong = found && whyNotSearchable(found)
    setProblem(wrong)
    if (!wrong) replace(withIdentifier(search, found))
  }

  return (
    <Group
      component="form"
      role="search"
      onSubmit={submit}
      gap="xs"
      align="flex-start"
      wrap="nowrap"
      flex="1 1 320px"
    >
      <Select
        aria-label="Search by"
        data={SEARCH_TYPES.map((name) => ({ value: name, label: IDENTIFIER_LABELS[name] }))}
        value={type}
        allowDeselect={false}
        onChange={(chosen) => setType((chosen as SearchType | null) ?? type)}
        w={130}
      />
      <TextInput
        aria-label={`${IDENTIFIER_LABELS[type]} to search for`}
        placeholder={IDENTIFIER_LABELS[type]}
        value={text}
        error={problem}
        onChange={(event) => setText(event.currentTarget.value)}
        flex={1}
        miw={0}
      />
      <Button type="submit" variant="default" aria-label="Search" px="sm">
        <Icon name="search" />
      </Button>
    </Group>
  )
}
