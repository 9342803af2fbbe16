import { ExportMenu } from '../../parts/export-menu.tsx'
import { useDownload } from '../../parts/use-download.ts'
import { filtersOf } from './read-search.ts'
import { useTableSearch } from './use-table-search.ts'

export function ExportIdentifications() {
  const { domain, search } = useTableSearch()
  const download = useDownload()
  const save = (format: 'csv' | 'json') =>
    void download.start(
      'exportIdentifications',
      { params: { domain }, query: { ...filtersOf(search), format } },
      `${domain}.${format}`,
    )
  return <ExportMenu download={download} save={save} />
}
