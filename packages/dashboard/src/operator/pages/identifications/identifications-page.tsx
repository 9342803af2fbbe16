import {
  Alert,
  Button,
  Checkbox,
  Collapse,
  Group,
  Popover,
  Select,
  Stack,
  Switch,
  TextInput,
} from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { type FormEvent, startTransition, useOptimistic, useState } from 'react'
import { useMay } from '../../api/rights.ts'
import { ExportMenu, useDownload } from '../../parts/download.tsx'
import { Loading } from '../../parts/feedback.tsx'
import { Icon } from '../../parts/icon.tsx'
import { IDENTIFIER_LABELS, IDENTIFIERS, type IdentifierType } from '../../parts/identifier.tsx'
import { PageHead } from '../../parts/layout.tsx'
import { ActiveFilters } from './active-filters.tsx'
import { COLUMN_NAMES, COLUMNS, readColumns } from './columns.tsx'
import { FilterPanel } from './filter-panel.tsx'
import { IdentificationsTable } from './identifications-table.tsx'
import { useColumns } from './kept-columns.ts'
import { filtersOf, identifierOf, identifierProblem, useTableSearch, withIdentifier } from './table-search.ts'
import { useViews } from './use-views.ts'
import { ViewsMenu } from './views-menu.tsx'

export function IdentificationsPage() {
  const { domain, search, change } = useTableSearch()
  const [filtering, { toggle }] = useDisclosure(false)
  const searched = identifierOf(search)
  const { isMissing, isOpening } = useViews()
  return (
    <>
      <PageHead about={`Visits to ${domain} and its subdomains.`}>
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
        <ViewsMenu />
        <ColumnMenu />
      </Group>
      <Collapse expanded={filtering} keepMounted={false}>
        <FilterPanel />
      </Collapse>
      {isMissing && (
        <Alert color="orange" mb="sm" role="alert" title="No such view">
          It was removed, or it is not shared with you.
        </Alert>
      )}
      {isOpening ? (
        <Loading />
      ) : (
        <>
          <ActiveFilters />
          <IdentificationsTable />
        </>
      )}
    </>
  )
}

function ExportIdentifications() {
  const { domain, search } = useTableSearch()
  const download = useDownload()
  const mayExport = useMay('visits:export')
  const save = (format: 'csv' | 'json') =>
    void download.start(
      'exportIdentifications',
      { params: { domain }, query: { ...filtersOf(search), format } },
      `${domain}.${format}`,
    )
  return mayExport && <ExportMenu download={download} save={save} />
}

function ColumnMenu() {
  const { columns, choose } = useColumns()
  // The boxes do not wait for the address.
  const [shown, showNow] = useOptimistic(readColumns(columns))
  const tick = (chosen: string[]) =>
    startTransition(async () => {
      showNow(chosen)
      await choose(COLUMN_NAMES.filter((name) => chosen.includes(name)).join(','))
    })
  return (
    <Popover position="bottom-end" withinPortal trapFocus>
      <Popover.Target>
        <Button variant="default" leftSection={<Icon name="columns" size={16} />}>
          Columns
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Checkbox.Group
          aria-label="Columns"
          value={shown}
          onChange={(chosen) => chosen.length > 0 && tick(chosen)}
        >
          <Stack gap="xs">
            {COLUMN_NAMES.map((name) => (
              <Checkbox key={name} value={name} label={COLUMNS[name]?.title} size="xs" />
            ))}
          </Stack>
        </Checkbox.Group>
        <Button size="compact-sm" variant="default" mt="sm" onClick={() => void choose(undefined)}>
          Default columns
        </Button>
      </Popover.Dropdown>
    </Popover>
  )
}

/** Searches by one of the identifiers. */
function SearchBox() {
  const { search, replace } = useTableSearch()
  const searched = identifierOf(search)
  const [type, setType] = useState<IdentifierType>(searched?.type ?? 'user_hid')
  const [text, setText] = useState(searched?.value ?? '')
  const [problem, setProblem] = useState<string>()

  function submit(event: FormEvent): void {
    event.preventDefault()
    const value = text.trim()
    const found = value === '' ? undefined : { type, value }
    const wrong = found && identifierProblem(found)
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
        data={IDENTIFIERS.map((name) => ({ value: name, label: IDENTIFIER_LABELS[name] }))}
        value={type}
        allowDeselect={false}
        onChange={(chosen) => setType((chosen as IdentifierType | null) ?? type)}
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
