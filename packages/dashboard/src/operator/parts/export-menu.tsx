import { Button, Menu } from '@mantine/core'
import { sizeText } from '../api/save-file.ts'
import { Icon } from './icon.tsx'
import type { Download } from './use-download.ts'

interface ExportMenuProps {
  download: Download
  save(format: 'csv' | 'json'): void
}

/** Everything that matches, not only what is shown. */
export function ExportMenu({ download: { bytes, cancel }, save }: ExportMenuProps) {
  if (bytes !== undefined)
    return (
      <Button variant="default" leftSection={<Icon name="cross" size={16} />} onClick={cancel}>
        Cancel, {sizeText(bytes)} so far
      </Button>
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
