import { ExportMenu } from '../../parts/export-menu.tsx'
import { useDownload } from '../../parts/use-download.ts'
import type { PatternsSearch } from './read-patterns-search.ts'

interface ExportFindingsProps {
  domain: string
  search: PatternsSearch
}

export function ExportFindings({ domain, search }: ExportFindingsProps) {
  const download = useDownload()
  const save = (format: 'csv' | 'json') =>
    void download.start(
      'exportPatterns',
      { params: { domain }, query: { ...search, format } },
      `${domain}-patterns.${format}`,
    )
  return <ExportMenu download={download} save={save} />
}
