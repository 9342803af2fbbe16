import type { DomainRules } from '@inkling/contract/account'
import { List, Text } from '@mantine/core'
import { Section } from '../../parts/section.tsx'

/** Rules of the release, to be read. */
export function StandIns({ rules: { signals, suppressions } }: { rules: DomainRules }) {
  const titleOf = (name: string): string => signals.find((signal) => signal.name === name)?.title ?? name
  return (
    <Section
      title="Signals that stand in for others"
      about="What one cause explains is held against a visit once. The first of these that hit applies; they come with the release."
    >
      <List spacing="xs" size="sm">
        {suppressions.map(({ by, silences }) => (
          <List.Item key={by}>
            <Text span size="sm" fw={600}>
              {titleOf(by)}
            </Text>
            {': '}
            {silences.map(titleOf).join(', ')} add nothing.
          </List.Item>
        ))}
      </List>
    </Section>
  )
}
