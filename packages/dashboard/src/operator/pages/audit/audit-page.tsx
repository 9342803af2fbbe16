import { useApi, usePages } from '../../api/use-api.ts'
import { Empty, LoadedPages } from '../../parts/feedback.tsx'
import { PageHead } from '../../parts/layout.tsx'
import { ChangesTable } from './changes-table.tsx'

export function AuditPage() {
  const api = useApi()
  const pages = usePages(['listAudit'], (query, signal) => api.call('listAudit', { query }, signal))
  return (
    <>
      <PageHead about="Every change made here or on the command line, newest first." />
      <LoadedPages pages={pages} empty={<Empty title="No changes yet" />}>
        {(records) => <ChangesTable records={records} />}
      </LoadedPages>
    </>
  )
}
