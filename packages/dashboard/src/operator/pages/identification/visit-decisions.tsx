import type { StoredDecision } from '@inkling/contract'
import { Anchor, Group, List, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useApiQuery } from '../../api/use-api.ts'
import { ActionBadge } from '../../parts/action-badge.tsx'
import { Tag } from '../../parts/badges.tsx'
import { Loaded } from '../../parts/feedback.tsx'
import { Time } from '../../parts/format.tsx'
import { Section } from '../../parts/layout.tsx'
import { PURPOSE_LABELS } from '../decision-rules/purposes.ts'

interface VisitDecisionsProps {
  domain: string
  requestId: string
}

/** What the backend was told about the visit. Nothing is shown where it never asked. */
export function VisitDecisions({ domain, requestId }: VisitDecisionsProps) {
  const query = useApiQuery('listDecisions', { params: { domain }, query: { request_id: requestId } })
  if (query.data?.data.length === 0) return null
  return (
    <Section title="Decisions" about="What your backend was told about this visit, and why.">
      <Loaded query={query}>
        {({ data }) => (
          <Stack gap="md">
            {data.map((decision) => (
              <Decision key={decision.decision_id} domain={domain} decision={decision} />
            ))}
          </Stack>
        )}
      </Loaded>
    </Section>
  )
}

const Decision = ({ domain, decision }: { domain: string; decision: StoredDecision }) => (
  <Stack gap={6}>
    <Group gap="xs">
      <ActionBadge action={decision.action} size="lg" />
      <Text size="sm" fw={600}>
        {PURPOSE_LABELS[decision.purpose]}
      </Text>
      <Text size="sm" className="dim" component="div">
        <Time at={decision.decided_at} />
        {decision.points > 0 && `, decision score ${decision.points}`}
        {decision.account !== null && `, account ${decision.account}`}
      </Text>
    </Group>
    <List size="sm">
      {decision.reasons.map((reason) => (
        <List.Item key={reason}>{reason}</List.Item>
      ))}
    </List>
    {decision.rules.length > 0 && (
      <Text size="sm" component="div">
        <span className="dim">Rules that were met: </span>
        {decision.rules.map(({ rule, name, version, state }, index) => (
          <span key={rule}>
            {index > 0 && ', '}
            <Anchor
              inherit
              renderRoot={(props) => (
                <Link
                  {...props}
                  to="/d/$domain/decision-rules/$ruleId"
                  params={{ domain, ruleId: String(rule) }}
                />
              )}
            >
              {name}
            </Anchor>{' '}
            version {version} {state === 'shadow' && <Tag>in shadow</Tag>}
          </span>
        ))}
      </Text>
    )}
    {decision.failed_rules.map(({ rule, name, message }) => (
      <Text key={rule} size="sm" className="dim">
        {name} could not be evaluated: {message}
      </Text>
    ))}
    {decision.changed && (
      <Group gap="xs">
        <Text size="sm">Since later evidence came, it would be</Text>
        <ActionBadge action={decision.changed.action} />
        <Text size="sm" className="dim">
          <Time at={decision.changed.changed_at} />
        </Text>
      </Group>
    )}
  </Stack>
)
