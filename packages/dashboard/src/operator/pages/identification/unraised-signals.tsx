import { SIGNAL_CATALOGUE } from '@inkling/contract'
import { Badge, Group, Stack, Text } from '@mantine/core'
import { Section } from '../../parts/section.tsx'

interface UnraisedProps {
  clear: readonly string[]
  unknown: readonly string[]
}

/** What was checked and is fine, and what could not be checked: two different things. */
export const UnraisedSignals = ({ clear, unknown }: UnraisedProps) => (
  <Section title="Signals that were not raised">
    <Names title="Clear: checked, and fine" names={clear} color="teal" />
    <Names title="Unknown: the facts were missing, which counts neither way" names={unknown} color="gray" />
  </Section>
)

const Names = ({ title, names, color }: { title: string; names: readonly string[]; color: string }) => (
  <Stack gap={6}>
    <Text size="sm" className="dim">
      {title}
    </Text>
    {names.length === 0 ? (
      <Text size="sm">none</Text>
    ) : (
      <Group gap={4}>
        {names.map((name) => (
          <Badge key={name} variant="outline" color={color} c="inherit" tt="none" fw={500}>
            {titleOf(name)}
          </Badge>
        ))}
      </Group>
    )}
  </Stack>
)

/** Stored rows can carry names that later releases no longer know. */
const titleOf = (name: string): string =>
  (SIGNAL_CATALOGUE as Record<string, { title: string } | undefined>)[name]?.title ?? name
