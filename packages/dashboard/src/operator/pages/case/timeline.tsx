import { PATTERN_CATALOGUE } from '@inkling/contract'
import type { CaseEvent } from '@inkling/contract/account'
import { Group, Stack, Text } from '@mantine/core'
import { ActionBadge } from '../../parts/action-badge.tsx'
import { ScoreBadge } from '../../parts/badges.tsx'
import { Time, words } from '../../parts/format.tsx'
import { Identifier } from '../../parts/identifier.tsx'
import { Section } from '../../parts/layout.tsx'
import { LIST_LABELS } from '../../parts/list-words.ts'
import { EntityLink, GradeBadge } from '../patterns/findings-table.tsx'

interface TimelineProps {
  domain: string
  events: readonly CaseEvent[]
}

export const Timeline = ({ events }: TimelineProps) => (
  <Section title="Timeline" about="Newest first. Evidence is shown as it was when it was attached.">
    <Stack gap="sm" component="ol" m={0} p={0} style={{ listStyle: 'none' }}>
      {events.map((event) => (
        <li key={event.id}>
          <Group gap={6}>
            <Text span size="sm" fw={600}>
              {TITLES[event.kind]}
            </Text>
            <Text span size="xs" className="dim">
              {event.author}, <Time at={event.at} />
            </Text>
          </Group>
          <Body event={event} />
        </li>
      ))}
    </Stack>
  </Section>
)

const TITLES: Record<CaseEvent['kind'], string> = {
  opened: 'Opened',
  review: 'Review asked for',
  note: 'Note',
  evidence: 'Evidence',
  change: 'Changed',
  decision: 'Decided',
  undo: 'Decision taken back',
}

function Body({
  event: { text, changes, identification, finding, decision, outcome },
}: {
  event: CaseEvent
}) {
  return (
    <Stack gap={2}>
      {changes && <Text size="sm">{Object.entries(changes).map(changeText).join(', ')}</Text>}
      {outcome && (
        <Group gap={6}>
          <ActionBadge action={outcome.action} />
          <Text span size="sm">
            {[
              ...(outcome.label === null ? [] : [`label ${words(outcome.label)}`]),
              ...(outcome.list === null ? [] : [`list ${LIST_LABELS[outcome.list]}`]),
            ].join(', ')}
          </Text>
        </Group>
      )}
      {decision && (
        <>
          <Group gap={6}>
            <Text span size="sm">
              {`For ${decision.purpose}, decision score ${decision.score}:`}
            </Text>
            <Identifier type="request_id" value={decision.request_id} short />
          </Group>
          <Text size="sm">{decision.reasons.join('. ')}</Text>
        </>
      )}
      {identification && (
        <Group gap={6}>
          <ScoreBadge score={identification.score} />
          <Identifier type="request_id" value={identification.request_id} short />
          <Text span size="sm">
            {[
              identification.browser,
              identification.os,
              identification.country,
              words(identification.connection_type),
            ]
              .filter((part) => part !== '')
              .join(', ')}
          </Text>
        </Group>
      )}
      {finding && (
        <Group gap={6}>
          <GradeBadge finding={finding} />
          <Text span size="sm">
            {`${PATTERN_CATALOGUE[finding.pattern].title}: ${finding.count} ${PATTERN_CATALOGUE[finding.pattern].counts}`}
          </Text>
          <EntityLink finding={finding} />
        </Group>
      )}
      {text !== '' && (
        <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {text}
        </Text>
      )}
    </Stack>
  )
}

const changeText = ([field, value]: [string, string | null]): string =>
  `${words(field).replace(' at', '')}: ${field === 'assignee' ? (value ?? 'nobody') : words(value ?? '')}`
