import { Button, Group, Popover, SegmentedControl, Stack, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { type FormEvent, useState } from 'react'
import { type OverviewSearch, PRESETS, type Preset, presetOf } from './overview-search.ts'

interface RangePickerProps {
  search: OverviewSearch
  choose(search: OverviewSearch): void
}

export const RangePicker = ({ search, choose }: RangePickerProps) => (
  <>
    <SegmentedControl
      aria-label="Range"
      // A custom range selects none of the presets.
      value={presetOf(search) ?? ''}
      data={Object.entries(PRESETS).map(([value, { label }]) => ({ value, label }))}
      onChange={(chosen) => choose({ range: chosen as Preset })}
    />
    <CustomRange search={search} choose={choose} />
  </>
)

function CustomRange({ search, choose }: RangePickerProps) {
  const [opened, { toggle, close }] = useDisclosure()
  const custom = 'first' in search ? search : undefined
  return (
    <Popover opened={opened} onClose={close} position="bottom-end" trapFocus withinPortal>
      <Popover.Target>
        <Button variant={custom ? 'light' : 'default'} onClick={toggle} aria-expanded={opened}>
          {custom ? `${custom.first} to ${custom.last}` : 'Custom range'}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <CustomRangeForm
          custom={custom}
          choose={(chosen) => {
            choose(chosen)
            close()
          }}
        />
      </Popover.Dropdown>
    </Popover>
  )
}

interface CustomRangeFormProps {
  custom: { first: string; last: string } | undefined
  choose(search: OverviewSearch): void
}

function CustomRangeForm({ custom, choose }: CustomRangeFormProps) {
  const today = new Date().toISOString().slice(0, 10)
  const [first, setFirst] = useState(custom?.first ?? today)
  const [last, setLast] = useState(custom?.last ?? today)
  function submit(event: FormEvent): void {
    event.preventDefault()
    choose({ first, last })
  }
  return (
    <Stack component="form" onSubmit={submit} gap="xs">
      <TextInput
        type="date"
        label="First day"
        description="In UTC"
        required
        max={last}
        value={first}
        onChange={(event) => setFirst(event.currentTarget.value)}
      />
      <TextInput
        type="date"
        label="Last day"
        required
        min={first}
        max={today}
        value={last}
        onChange={(event) => setLast(event.currentTarget.value)}
      />
      <Group justify="flex-end">
        <Button type="submit" size="xs">
          Apply
        </Button>
      </Group>
    </Stack>
  )
}
