import type { SignalRule } from '@inkling/contract/account'
import { Badge, Box, Divider, Group, NumberInput, Switch, Text } from '@mantine/core'
import type { Draft } from './use-draft.ts'

interface SignalListProps {
  signals: readonly SignalRule[]
  draft: Draft
  isOwner: boolean
}

/** Rows that put the controls below the words where there is no room beside them. */
export const SignalList = ({ signals, draft, isOwner }: SignalListProps) => (
  <Box component="ul" p={0} m={0} style={{ listStyle: 'none' }} aria-label="Signals">
    {signals.map((signal) => (
      <li key={signal.name}>
        <Divider />
        <Group py={8} gap="sm" justify="space-between">
          <Words signal={signal} weight={draft.of(signal)} />
          {signal.max === null ? (
            <Text size="sm" className="dim" w={270}>
              {signal.weight}, takes back what it corrects
            </Text>
          ) : (
            <Controls signal={signal} max={signal.max} draft={draft} isOwner={isOwner} />
          )}
        </Group>
      </li>
    ))}
  </Box>
)

const Words = ({ signal, weight }: { signal: SignalRule; weight: number | '' }) => (
  <Box flex="1 1 280px">
    <Group gap="xs">
      <Text size="sm" fw={600}>
        {signal.title}
      </Text>
      {signal.max !== null && weight !== signal.release_weight && (
        <Badge size="xs" variant="default" tt="none">
          own weight
        </Badge>
      )}
    </Group>
    <Text size="xs" className="dim">
      {signal.meaning} <code>{signal.name}</code>
    </Text>
  </Box>
)

interface ControlsProps extends Omit<SignalListProps, 'signals'> {
  signal: SignalRule
  max: number
}

function Controls({ signal, max, draft, isOwner }: ControlsProps) {
  const { name, title, release_weight: release } = signal
  const weight = draft.of(signal)
  return (
    <Group gap="sm" wrap="nowrap" w={270}>
      <Text size="sm" className="dim" w={86}>
        release {release}
      </Text>
      <NumberInput
        aria-label={`Weight of ${title}`}
        value={weight}
        onChange={(next) => draft.set(name, typeof next === 'number' ? next : '')}
        min={0}
        max={max}
        clampBehavior="strict"
        allowDecimal={false}
        error={weight === ''}
        readOnly={!isOwner}
        w={90}
      />
      <Switch
        aria-label={`${title} counts`}
        checked={weight !== 0}
        disabled={!isOwner}
        onChange={(event) => draft.set(name, event.currentTarget.checked ? back(signal) : 0)}
      />
    </Group>
  )
}

/** A signal that was off comes back as it weighs in the release, or lightly where that is nothing. */
const back = ({ release_weight: release }: SignalRule): number => (release === 0 ? 1 : release)
