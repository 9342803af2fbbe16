import { LABEL_KIND_PATTERN, LABEL_SUBJECTS, type LabelSubject } from '@inkling/contract'
import { Autocomplete, Button, Code, Group, Select, Stack, TextInput } from '@mantine/core'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useMay } from '../../api/rights.ts'
import { useApi, useApiMutation, usePages } from '../../api/use-api.ts'
import { ExportCsv } from '../../parts/download.tsx'
import { Empty, LoadedPages } from '../../parts/feedback.tsx'
import { Icon } from '../../parts/icon.tsx'
import { ImportCsv } from '../../parts/import-csv.tsx'
import { LABEL_KINDS, SHOWING_LABELS } from '../../parts/labels-section.tsx'
import { PageHead } from '../../parts/layout.tsx'
import { LABELLED } from '../../parts/list-words.ts'
import type { LabelsSearch } from './labels-search.ts'
import { LabelsTable } from './labels-table.tsx'

const route = getRouteApi('/signed-in/d/$domain/labels')

export function LabelsPage() {
  const { domain } = route.useParams()
  const search = route.useSearch()
  const mayChange = useMay('labels:write')
  const api = useApi()
  const params = { domain }
  const pages = usePages(['listLabels', domain, search], (paging, signal) =>
    api.call('listLabels', { params, query: { ...search, ...paging } }, signal),
  )
  return (
    <>
      <PageHead about="What you found out about visitors afterwards, newest first. Labels change no score; back-tests measure rules against them.">
        {mayChange && <ImportLabels domain={domain} />}
        <ExportLabels domain={domain} search={search} />
      </PageHead>
      <Stack gap="sm">
        <Filters key={`${search.kind} ${search.value}`} search={search} domain={domain} />
        <LoadedPages
          pages={pages}
          empty={
            Object.keys(search).length > 0 ? (
              <Empty title="No matching labels">Search for less, or for a part of the value.</Empty>
            ) : (
              <Empty title="There are no labels">
                Import your chargebacks, let your backend send labels, or add one on the page of a visit,
                device or account.
              </Empty>
            )
          }
        >
          {(labels) => <LabelsTable domain={domain} labels={labels} />}
        </LoadedPages>
      </Stack>
    </>
  )
}

const ImportLabels = ({ domain }: { domain: string }) => (
  <ImportCsv domain={domain} row="a label" load={useApiMutation('importLabels', SHOWING_LABELS)}>
    The first line names the columns: <Code>kind,subject_type,subject_value,source</Code>, and <Code>at</Code>{' '}
    and <Code>note</Code> if you like. All rows are saved or none. A label of the same kind, subject and
    source is replaced.
  </ImportCsv>
)

const ExportLabels = ({ domain, search: { kind, type } }: { domain: string; search: LabelsSearch }) => (
  <ExportCsv
    operation="exportLabels"
    request={{ params: { domain }, query: { ...(kind && { kind }), ...(type && { type }) } }}
    fileName={`${[domain, kind ?? 'labels', ...(type ? [type] : [])].join('-')}.csv`}
  />
)

/** Remounted when the search comes to other texts, such as by going back. */
function Filters({ search, domain }: { search: LabelsSearch; domain: string }) {
  const navigate = useNavigate()
  const [kind, setKind] = useState(search.kind ?? '')
  const [text, setText] = useState(search.value ?? '')
  const isKind = kind.trim() === '' || LABEL_KIND_PATTERN.test(kind.trim())
  const show = ({ kind, type, value }: { [Name in keyof LabelsSearch]: LabelsSearch[Name] | undefined }) =>
    void navigate({
      to: '/d/$domain/labels',
      params: { domain },
      search: { ...(kind && { kind }), ...(type && { type }), ...(value && { value }) },
    })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (isKind) show({ ...search, kind: kind.trim(), value: text.trim() })
      }}
    >
      <Group align="flex-end" gap="xs">
        <Autocomplete
          label="Label"
          placeholder="all"
          data={LABEL_KINDS}
          value={kind}
          error={isKind ? undefined : 'Lower-case letters, digits and underscores'}
          errorProps={{ role: 'alert' }}
          onChange={setKind}
          w={190}
        />
        <Select
          label="About"
          placeholder="all"
          data={LABEL_SUBJECTS.map((type) => ({ value: type, label: LABELLED[type] }))}
          value={search.type ?? null}
          clearable
          onChange={(type) => show({ ...search, type: (type ?? undefined) as LabelSubject | undefined })}
          w={170}
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
