import { getRouteApi } from '@tanstack/react-router'
import { useApi } from '../../api/use-api.ts'
import { usePages } from '../../api/use-pages.ts'
import { Empty } from '../../parts/empty.tsx'
import { Failed } from '../../parts/failed.tsx'
import { LoadMore } from '../../parts/load-more.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Waiting } from '../../parts/waiting.tsx'
import { ExportFindings } from './export-findings.tsx'
import { FindingsTable } from './findings-table.tsx'
import { PatternsFilters } from './patterns-filters.tsx'

const route = getRouteApi('/signed-in/d/$domain/patterns')

export function PatternsPage() {
  const api = useApi()
  const { domain } = route.useParams()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { entries, error, waiting, hasMore, loadMore, retry } = usePages(
    ['listPatterns', domain, search],
    (paging, signal) =>
      api.ask('listPatterns', { params: { domain }, query: { ...search, ...paging } }, signal),
  )
  return (
    <>
      <PageHead
        title="Patterns"
        about="Abuse that shows only over many visits. A pattern is a reason to look, not a verdict."
      >
        <ExportFindings domain={domain} search={search} />
      </PageHead>
      <PatternsFilters
        search={search}
        change={(changed) => void navigate({ search: changed, replace: true })}
      />
      {error && <Failed error={error} retry={retry} />}
      {waiting && <Waiting />}
      {!waiting && !error && entries.length === 0 && (
        <Empty title="No pattern like this">Visits are looked through once a minute.</Empty>
      )}
      {entries.length > 0 && <FindingsTable domain={domain} findings={entries} />}
      <LoadMore hasMore={hasMore} load={loadMore} />
    </>
  )
}
