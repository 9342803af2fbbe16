import { Button, Group, Popover, SegmentedControl, Stack, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { type FormEvent, useState } from 'react'
import { type OverviewSearch, PRESETS, type Preset, presetOf } from './read-overview-search.ts'

interface RangePickerProps {
  search: OverviewSearch
  choose(search: OverviewSearch): void
}

export const RangePicker = ({ search, choose }: RangePickerProps) => (
  <>
    <SegmentedControl
      aria-label="Range"
      // Without a choice where the range is an own one.
      value={presetOf(search) ?? ''}
      data={Object.entries(PRESETS).map(([value, { label }]) => ({ value, label }))}
      onChange={(chosen) => choose({ range: chosen as Preset })}
    />
    <OwnRange search={search} choose={choose} />
  </>
)

function OwnRange({ search, choose }: RangePickerProps) {
  const [opened, { toggle, close }] = useDisclosure()
  const own = 'first' in search ? search : undefined
  return (
    <Popover opened={opened} onClose={close} position="bottom-end" trapFocus withinPortal>
      <Popover.Target>
        <Button variant={own ? 'light' : 'default'} onClick={toggle} aria-expanded={opened}>
          {own ? `${own.first} to ${own.last}` : 'Other days'}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <OwnRangeForm
          own={own}
          choose={(chosen) => {
            choose(chosen)
            close()
          }}
        />
      </Popover.Dropdown>
    </Popover>
  )
}

interface OwnRangeFormProps {
  own: { first: string; last: string } | undefined
  choose(search: OverviewSearch): void
}

function OwnRangeForm({ own, choose }: OwnRangeFormProps) {
  const today = new Date().toISOString().slice(0, 10)
  const [first, setFirst] = useState(own?.first ?? today)
  const [last, setLast] = useState(own?.last ?? today)
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
          Show
        </Button>
      </Group>
    </Stack>
  )
}
