import { Button, Checkbox, Popover, Stack } from '@mantine/core'
import { Icon } from '../../parts/icon.tsx'
import { COLUMN_NAMES, COLUMNS, readColumns } from './columns.tsx'
import { useTableSearch } from './use-table-search.ts'

export function ColumnMenu() {
  const { search, change } = useTableSearch()
  const shown = readColumns(search.columns)
  return (
    <Popover position="bottom-end" withinPortal trapFocus>
      <Popover.Target>
        <Button variant="default" leftSection={<Icon name="columns" size={16} />}>
          Columns
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Checkbox.Group
          aria-label="Columns"
          value={shown}
          onChange={(chosen) =>
            change({ columns: COLUMN_NAMES.filter((name) => chosen.includes(name)).join(',') })
          }
        >
          <Stack gap="xs">
            {COLUMN_NAMES.map((name) => (
              <Checkbox key={name} value={name} label={COLUMNS[name]?.title} size="xs" />
            ))}
          </Stack>
        </Checkbox.Group>
      </Popover.Dropdown>
    </Popover>
  )
}
