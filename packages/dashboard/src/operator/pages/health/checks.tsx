import type { HealthCheck } from '@inkling/contract/account'
import { Badge, Group, Stack, Text } from '@mantine/core'
import { Section } from '../../parts/section.tsx'

const STATES: Record<HealthCheck['state'], { label: string; tint: string; color: string }> = {
  ok: { label: 'OK', tint: 'band-trusted', color: 'teal' },
  warn: { label: 'Attention', tint: 'band-suspicious', color: 'yellow' },
  problem: { label: 'Problem', tint: 'band-dangerous', color: 'red' },
}

export function Checks({ checks }: { checks: readonly HealthCheck[] }) {
  const count = (state: HealthCheck['state']) => checks.filter((check) => check.state === state).length
  const summary =
    count('problem') > 0
      ? `${count('problem')} to be solved, ${count('warn')} to look at.`
      : count('warn') > 0
        ? `It works; ${count('warn')} to look at.`
        : 'All is well.'
  return (
    <Section title="Checks" about={summary}>
      <Stack gap="xs" component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
        {checks.map((check) => (
          <Check key={check.check} {...check} />
        ))}
      </Stack>
    </Section>
  )
}

function Check({ check, state, detail, advice }: HealthCheck) {
  const { label, tint, color } = STATES[state]
  return (
    <Group component="li" gap="sm" wrap="nowrap" align="flex-start">
      <Badge variant="light" color={color} className={tint} tt="none" miw={84} flex="none">
        {label}
      </Badge>
      <div>
        <Text size="sm">
          <Text span size="sm" fw={600}>
            {check}
          </Text>
          : {detail}
        </Text>
        {advice !== null && (
          <Text size="sm" className="dim">
            {advice}
          </Text>
        )}
      </div>
    </Group>
  )
}
