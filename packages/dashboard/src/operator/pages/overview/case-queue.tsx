import { Anchor, Group, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useApiQuery } from '../../api/use-api.ts'
import { StatusBadge } from '../../parts/badges.tsx'
import { countedText } from '../../parts/format.tsx'
import { Section } from '../../parts/layout.tsx'

/** How many cases wait; nothing where there are none. */
export function CaseQueue({ domain }: { domain: string }) {
  const { data } = useApiQuery('countCases', { params: { domain } })
  if (!data || data.open === 0) return null
  return (
    <Section title="Cases">
      <Group gap="md">
        <Anchor
          size="sm"
          renderRoot={(props) => <Link {...props} to="/d/$domain/cases" params={{ domain }} search={{}} />}
        >
          {`${countedText(data.open, 'open case')}`}
        </Anchor>
        <Text size="sm">{`${data.mine} yours, ${data.unassigned} of nobody`}</Text>
        {data.overdue > 0 && <StatusBadge tone="dangerous">{`${data.overdue} overdue`}</StatusBadge>}
      </Group>
    </Section>
  )
}
