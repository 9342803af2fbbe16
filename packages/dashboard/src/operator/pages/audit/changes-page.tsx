import { getRouteApi } from '@tanstack/react-router'
import { useApi, usePages } from '../../api/use-api.ts'
import { Empty, LoadedPages } from '../../parts/feedback.tsx'
import { PageHead } from '../../parts/layout.tsx'
import { ChangesTable } from './changes-table.tsx'

const route = getRouteApi('/signed-in/d/$domain/changes')

export function ChangesPage() {
  const { domain } = route.useParams()
  const api = useApi()
  const pages = usePages(['listDomainAudit', domain], (query, signal) =>
    api.call('listDomainAudit', { params: { domain }, query }, signal),
  )
  return (
    <>
      <PageHead about={`Who changed what in ${domain}, here or on the command line, newest first.`} />
      <LoadedPages pages={pages} empty={<Empty title="No changes yet" />}>
        {(records) => <ChangesTable records={records} hasTarget={false} />}
      </LoadedPages>
    </>
  )
}
