import { PATTERN_CATALOGUE, PATTERN_GRADES, PATTERN_NAMES } from '@inkling/contract'
import { Select, SimpleGrid } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useMay } from '../../api/rights.ts'
import { useApi, usePages } from '../../api/use-api.ts'
import { ExportMenu, useDownload } from '../../parts/download.tsx'
import { Empty, LoadedPages } from '../../parts/feedback.tsx'
import { PageHead } from '../../parts/layout.tsx'
import { BAND_LABELS } from '../../parts/score-words.ts'
import { type PatternsSearch, parsePatternsSearch } from '../../search-params.ts'
import { FindingsTable } from './findings-table.tsx'

const route = getRouteApi('/signed-in/d/$domain/patterns')

export function PatternsPage() {
  const api = useApi()
  const { domain } = route.useParams()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const pages = usePages(['listPatterns', domain, search], (paging, signal) =>
    api.call('listPatterns', { params: { domain }, query: { ...search, ...paging } }, signal),
  )
  return (
    <>
      <PageHead about="Signs of abuse that only show over several visits. A pattern is a reason to investigate, not a verdict.">
        <ExportFindings domain={domain} search={search} />
      </PageHead>
      <PatternsFilters
        search={search}
        change={(changed) => void navigate({ search: changed, replace: true })}
      />
      <LoadedPages
        pages={pages}
        empty={<Empty title="No matching patterns">New visits are checked every minute.</Empty>}
      >
        {(findings) => <FindingsTable domain={domain} findings={findings} />}
      </LoadedPages>
    </>
  )
}

interface ExportFindingsProps {
  domain: string
  search: PatternsSearch
}

function ExportFindings({ domain, search }: ExportFindingsProps) {
  const download = useDownload()
  const mayExport = useMay('visits:export')
  const save = (format: 'csv' | 'json') =>
    void download.start(
      'exportPatterns',
      { params: { domain }, query: { ...search, format } },
      `${domain}-patterns.${format}`,
    )
  return mayExport && <ExportMenu download={download} save={save} />
}

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
  { value: 'open', label: 'Open' },
  { value: 'resolved', label: 'Resolved' },
  { value: 'all', label: 'All' },
]

const PatternsFilters = ({ search, change }: PatternsFiltersProps) => (
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
        onChange={(chosen) => change(parsePatternsSearch({ ...search, [name]: chosen ?? undefined }))}
      />
    ))}
    <Select
      label="State"
      allowDeselect={false}
      data={STATES}
      value={search.state ?? 'open'}
      onChange={(chosen) => change(parsePatternsSearch({ ...search, state: chosen ?? undefined }))}
    />
  </SimpleGrid>
)
