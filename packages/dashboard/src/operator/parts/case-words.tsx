import {
  CASES_COUNTED_MAX,
  type Case,
  type CasePriority,
  type CaseStatus,
  type CaseSubject,
} from '@inkling/contract/account'
import { Anchor, Group, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { StatusBadge } from './badges.tsx'
import { countText, Time } from './format.tsx'
import { Identifier } from './identifier.tsx'
import { IDENTIFIER_OF_KIND, KIND_LABELS } from './list-words.ts'

export const CASE_STATUS_LABELS: Record<CaseStatus, string> = {
  open: 'Open',
  in_progress: 'In progress',
  closed: 'Closed',
}
export const PRIORITY_LABELS: Record<CasePriority, string> = { low: 'Low', normal: 'Normal', high: 'High' }

/** Counting ends at a number, which then means at least as many. */
export const casesText = (count: number): string =>
  count >= CASES_COUNTED_MAX ? `${countText(count)}+` : countText(count)

/** Every operation whose data a change to a case outdates. */
export const SHOWING_CASES = ['listCases', 'countCases', 'getCase'] as const

const subjectLabel = (type: CaseSubject): string => (type === 'finding' ? 'Pattern' : KIND_LABELS[type])

/** What a case is about, with a link to its page. */
export function SubjectLink({ domain, subject, short = false }: SubjectLinkProps) {
  const { type, value } = subject
  const identifier = type === 'finding' ? undefined : IDENTIFIER_OF_KIND[type]
  return (
    <Group gap={6} wrap="nowrap">
      <Text span size="sm" className="dim one-line">
        {subjectLabel(type)}
      </Text>
      {type === 'finding' ? (
        <Anchor
          size="sm"
          renderRoot={(props) => (
            <Link {...props} to="/d/$domain/patterns/$findingId" params={{ domain, findingId: value }} />
          )}
        >
          {`number ${value}`}
        </Anchor>
      ) : identifier ? (
        <Identifier type={identifier} value={value} short={short} />
      ) : (
        <Text span size="sm" className="mono">
          {value}
        </Text>
      )}
    </Group>
  )
}

interface SubjectLinkProps {
  domain: string
  subject: Case['subject']
  /** Shows only the beginning of a UUID. */
  short?: boolean
}

/** When a case is due, marked where that has passed. */
export const DueTime = ({ shown: { due_at, status, closed_at } }: { shown: Case }) =>
  status === 'closed' ? (
    <span>closed {closed_at !== null && <Time at={closed_at} />}</span>
  ) : (
    <Group gap={6} wrap="nowrap">
      <Time at={due_at} />
      {Date.parse(due_at) < Date.now() && (
        <StatusBadge tone="dangerous" size="sm">
          Overdue
        </StatusBadge>
      )}
    </Group>
  )
