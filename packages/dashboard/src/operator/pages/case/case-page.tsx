import type { CaseDetail } from '@inkling/contract/account'
import { Button, Group, Select, SimpleGrid, Stack } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { ApiError } from '../../api/request.ts'
import { useMay } from '../../api/rights.ts'
import { useApiMutation, useApiQuery, useUser } from '../../api/use-api.ts'
import { ActionBadge } from '../../parts/action-badge.tsx'
import {
  CASE_STATUS_LABELS,
  DueTime,
  PRIORITY_LABELS,
  SHOWING_CASES,
  SubjectLink,
} from '../../parts/case-words.tsx'
import { attempt, Empty, Loaded } from '../../parts/feedback.tsx'
import { countedText, Time } from '../../parts/format.tsx'
import { Facts, PageHead, Section } from '../../parts/layout.tsx'
import { DecideBox } from './decide-box.tsx'
import { NoteForm } from './note-form.tsx'
import { Subject } from './subject.tsx'
import { Timeline } from './timeline.tsx'

const route = getRouteApi('/signed-in/d/$domain/cases/$number')

export function CasePage() {
  const { domain, number } = route.useParams()
  const isNumber = /^[1-9]\d{0,14}$/.test(number)
  const params = { domain, case_id: Number(number) }
  const query = useApiQuery('getCase', { params }, { enabled: isNumber })
  if (!isNumber || (query.error instanceof ApiError && query.error.status === 404))
    return (
      <>
        <PageHead />
        <Empty title="Case not found">
          It was removed with the data of its subject, or together with old visits.
        </Empty>
      </>
    )
  return <Loaded query={query}>{(detail) => <Shown domain={domain} detail={detail} />}</Loaded>
}

const Shown = ({ domain, detail }: { domain: string; detail: CaseDetail }) => (
  <>
    <PageHead title={`Case ${detail.case.number}`} about={detail.case.title}>
      <SubjectLink domain={domain} subject={detail.case.subject} />
    </PageHead>
    <Stack gap="md">
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Summary domain={domain} detail={detail} />
        <DecideBox domain={domain} detail={detail} />
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <NoteForm domain={domain} shown={detail.case} />
        <Timeline domain={domain} events={detail.events} />
      </SimpleGrid>
      <Subject domain={domain} subject={detail.case.subject} />
    </Stack>
  </>
)

const SOURCES = {
  rule: 'A decision asked for a review',
  finding: 'Somebody opened it for a pattern',
  person: 'Somebody opened it',
} as const

function Summary({ domain, detail: { case: shown } }: { domain: string; detail: CaseDetail }) {
  const user = useUser()
  const mayWork = useMay('cases:write')
  const { data: counts } = useApiQuery('countCases', { params: { domain } })
  const change = useApiMutation('changeCase', SHOWING_CASES)
  const save = (body: Parameters<typeof change.mutateAsync>[0]['body'], text: string) =>
    void attempt(text, () => change.mutateAsync({ params: { domain, case_id: shown.number }, body }))
  const people = [
    ...new Set([...(counts?.users ?? []), ...(shown.assignee === null ? [] : [shown.assignee])]),
  ]
  return (
    <Section title="Why it is here">
      <Facts
        facts={[
          { name: 'Source', value: SOURCES[shown.source] },
          { name: 'Reviews', value: countedText(shown.reviews, 'decision') },
          {
            name: 'Status',
            value:
              shown.outcome === null ? (
                CASE_STATUS_LABELS[shown.status]
              ) : (
                <ActionBadge action={shown.outcome} />
              ),
          },
          { name: 'Due', value: <DueTime shown={shown} /> },
          { name: 'Opened', value: <Time at={shown.opened_at} /> },
          { name: 'Opened by', value: shown.opened_by },
          ...(mayWork
            ? []
            : [
                { name: 'Assignee', value: shown.assignee ?? 'nobody' },
                { name: 'Priority', value: PRIORITY_LABELS[shown.priority] },
              ]),
        ]}
      />
      {mayWork && (
        <Group align="flex-end" gap="xs">
          <Select
            label="Assignee"
            placeholder="nobody"
            data={people}
            value={shown.assignee}
            clearable
            clearButtonProps={{ 'aria-label': 'Assign to nobody' }}
            onChange={(assignee) => save({ assignee }, 'The assignee was changed.')}
            w={230}
          />
          <Select
            label="Priority"
            data={Object.entries(PRIORITY_LABELS).map(([value, label]) => ({ value, label }))}
            value={shown.priority}
            allowDeselect={false}
            onChange={(priority) =>
              priority !== null &&
              save({ priority: priority as keyof typeof PRIORITY_LABELS }, 'The priority was changed.')
            }
            w={120}
          />
          {shown.status === 'open' && user && (
            <Button
              variant="default"
              onClick={() => save({ status: 'in_progress', assignee: user.email }, 'You work on it now.')}
            >
              Start
            </Button>
          )}
          {shown.status === 'closed' && shown.outcome === null && (
            <Button variant="default" onClick={() => save({ status: 'open' }, 'It is open again.')}>
              Open again
            </Button>
          )}
        </Group>
      )}
    </Section>
  )
}
