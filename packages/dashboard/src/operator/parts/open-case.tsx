import type { CaseSubject } from '@inkling/contract/account'
import { Button, Menu } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useMay } from '../api/rights.ts'
import { useApiMutation, useApiQuery } from '../api/use-api.ts'
import { SHOWING_CASES } from './case-words.tsx'
import { attempt } from './feedback.tsx'
import { Icon } from './icon.tsx'
import { KIND_LABELS } from './list-words.ts'

/** What a case is about. */
export interface CaseAbout {
  type: CaseSubject
  value: string
}

interface OpenCaseProps {
  domain: string
  /** What a case can be about, the likeliest first. */
  subjects: readonly CaseAbout[]
  /** What is attached to it. */
  evidence?: { request_id?: string; finding?: number }
}

/** Opens a case about something on the page, or adds to the open one. */
export function OpenCase({ domain, subjects, evidence = {} }: OpenCaseProps) {
  const navigate = useNavigate()
  const mayWork = useMay('cases:write')
  const open = useApiMutation('openCase', SHOWING_CASES)
  async function start(subject: CaseAbout): Promise<void> {
    const opened = await attempt('It is in the case.', () =>
      open.mutateAsync({ params: { domain }, body: { subject, ...evidence } }),
    )
    if (opened)
      await navigate({ to: '/d/$domain/cases/$number', params: { domain, number: String(opened.number) } })
  }
  const [only] = subjects
  if (!only || !mayWork) return null
  if (subjects.length === 1) return <OpenOne domain={domain} subject={only} start={start} />
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<Icon name="inbox" size={16} />} loading={open.isPending}>
          Open a case
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>About, or added to the open case of</Menu.Label>
        {subjects.map((subject) => (
          <Menu.Item key={subject.type} onClick={() => void start(subject)}>
            {subject.type === 'finding' ? 'Pattern' : KIND_LABELS[subject.type]} {subject.value.slice(0, 24)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

interface OpenOneProps {
  domain: string
  subject: CaseAbout
  start(subject: CaseAbout): Promise<void>
}

function OpenOne({ domain, subject, start }: OpenOneProps) {
  const query = { subject_type: subject.type, subject_value: subject.value, limit: 1 }
  const { data } = useApiQuery('listCases', { params: { domain }, query })
  const standing = data?.data[0]
  return (
    <Button
      variant="default"
      leftSection={<Icon name="inbox" size={16} />}
      onClick={() => void start(subject)}
    >
      {standing ? `Add to case ${standing.number}` : 'Open a case'}
    </Button>
  )
}
