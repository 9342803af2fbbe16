import { Button, Menu } from '@mantine/core'
import { sizeText } from '../../api/save-file.ts'
import { Icon } from '../../parts/icon.tsx'
import { useDownload } from '../../parts/use-download.ts'
import { filtersOf } from './read-search.ts'
import { useTableSearch } from './use-table-search.ts'

/** Everything that matches, not only the rows that are shown. */
export function ExportMenu() {
  const { domain, search } = useTableSearch()
  const { bytes, start, cancel } = useDownload()
  if (bytes !== undefined)
    return (
      <Button variant="default" leftSection={<Icon name="cross" size={16} />} onClick={cancel}>
        Cancel, {sizeText(bytes)} so far
      </Button>
    )
  const save = (format: 'csv' | 'json') =>
    void start(
      'exportIdentifications',
      { params: { domain }, query: { ...filtersOf(search), format } },
      `${domain}.${format}`,
    )
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<Icon name="download" size={16} />}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => save('csv')}>Every match as CSV</Menu.Item>
        <Menu.Item onClick={() => save('json')}>Every match as JSON</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
