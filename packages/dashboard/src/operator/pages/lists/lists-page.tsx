import { LIST_KINDS, LIST_NAMES, type ListKind, type ListName } from '@inkling/contract'
import { Button, Code, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useMay } from '../../api/rights.ts'
import { useApi, useApiMutation, usePages } from '../../api/use-api.ts'
import { ExportCsv } from '../../parts/download.tsx'
import { Empty, LoadedPages } from '../../parts/feedback.tsx'
import { countText } from '../../parts/format.tsx'
import { Icon } from '../../parts/icon.tsx'
import { ImportCsv } from '../../parts/import-csv.tsx'
import { PageHead } from '../../parts/layout.tsx'
import { ListEntriesTable } from '../../parts/list-entries-table.tsx'
import { AddListEntry } from '../../parts/list-entry-dialog.tsx'
import { KIND_LABELS, LIST_LABELS } from '../../parts/list-words.ts'
import type { ListsSearch } from './lists-search.ts'

const route = getRouteApi('/signed-in/d/$domain/lists')

const EVERY_KIND = LIST_KINDS.map((kind) => ({ kind, value: '' }))

export function ListsPage() {
  const { domain } = route.useParams()
  const search = route.useSearch()
  const mayChange = useMay('lists:write')
  const api = useApi()
  const pages = usePages(['listEntries', domain, search], (paging, signal) =>
    api.call('listEntries', { params: { domain }, query: { ...search, ...paging } }, signal),
  )
  const isFiltered = Object.keys(search).length > 0
  return (
    <>
      <PageHead about="Deny and allow decide before any rule does; watch leads to a review or something stricter. No list changes a score.">
        {mayChange && <ImportLists domain={domain} />}
        <ExportLists domain={domain} search={search} />
        {mayChange && <AddListEntry domain={domain} title="Add an entry" offered={EVERY_KIND} />}
      </PageHead>
      <Stack gap="sm">
        <Filters key={search.value ?? ''} search={search} domain={domain} />
        {pages.total !== undefined && pages.items.length > 0 && (
          <Text size="sm" className="dim" role="status">
            {pages.total === 1 ? '1 entry' : `${countText(pages.total)} entries`}
          </Text>
        )}
        <LoadedPages
          pages={pages}
          empty={
            isFiltered ? (
              <Empty title="No matching entries">Search for less, or for a part of the value.</Empty>
            ) : (
              <Empty title="The lists are empty">
                Add what you know already: your testers to allow, a network of thieves to deny, an account
                that you want to look at to watch.
              </Empty>
            )
          }
        >
          {(entries) => <ListEntriesTable domain={domain} entries={entries} />}
        </LoadedPages>
      </Stack>
    </>
  )
}

const ImportLists = ({ domain }: { domain: string }) => (
  <ImportCsv domain={domain} row="an entry" load={useApiMutation('importLists', ['listEntries'])}>
    The first line names the columns: <Code>list,kind,value</Code>, and <Code>reason</Code> and{' '}
    <Code>expires_at</Code> if you like. All rows are saved or none. An entry of the same list, kind and value
    is replaced.
  </ImportCsv>
)

const ExportLists = ({ domain, search: { list, kind } }: { domain: string; search: ListsSearch }) => (
  <ExportCsv
    operation="exportLists"
    request={{ params: { domain }, query: { ...(list && { list }), ...(kind && { kind }) } }}
    fileName={`${[domain, list ?? 'lists', ...(kind ? [kind] : [])].join('-')}.csv`}
  />
)

/** Remounted when the search comes to another value, such as by going back. */
function Filters({ search, domain }: { search: ListsSearch; domain: string }) {
  const navigate = useNavigate()
  const [text, setText] = useState(search.value ?? '')
  const show = ({ list, kind, value }: { [Name in keyof ListsSearch]: ListsSearch[Name] | undefined }) =>
    void navigate({
      to: '/d/$domain/lists',
      params: { domain },
      search: { ...(list && { list }), ...(kind && { kind }), ...(value && { value }) },
    })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        show({ ...search, value: text.trim() })
      }}
    >
      <Group align="flex-end" gap="xs">
        <Select
          label="List"
          placeholder="all"
          data={LIST_NAMES.map((name) => ({ value: name, label: LIST_LABELS[name] }))}
          value={search.list ?? null}
          clearable
          onChange={(list) => show({ ...search, list: (list ?? undefined) as ListName | undefined })}
          w={130}
        />
        <Select
          label="Kind"
          placeholder="all"
          data={LIST_KINDS.map((kind) => ({ value: kind, label: KIND_LABELS[kind] }))}
          value={search.kind ?? null}
          clearable
          onChange={(kind) => show({ ...search, kind: (kind ?? undefined) as ListKind | undefined })}
          w={210}
        />
        <TextInput
          label="A part of the value"
          value={text}
          autoComplete="off"
          onChange={(event) => setText(event.currentTarget.value)}
          flex="1 1 200px"
          maw={340}
        />
        <Button type="submit" variant="default" leftSection={<Icon name="search" size={16} />}>
          Search
        </Button>
      </Group>
    </form>
  )
}
