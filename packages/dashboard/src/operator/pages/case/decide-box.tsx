import {
  DECISION_ACTIONS,
  type DecisionAction,
  LABEL_SUBJECTS,
  LIST_NAMES,
  type ListName,
} from '@inkling/contract'
import type { CaseDetail } from '@inkling/contract/account'
import { Button, Group, SegmentedControl, Select, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useMay } from '../../api/rights.ts'
import { useApiMutation } from '../../api/use-api.ts'
import { ACTION_LABELS } from '../../parts/action-badge.tsx'
import { SHOWING_CASES } from '../../parts/case-words.tsx'
import { attempt } from '../../parts/feedback.tsx'
import { words } from '../../parts/format.tsx'
import { Section } from '../../parts/layout.tsx'
import { LIST_LABELS } from '../../parts/list-words.ts'

const OUTDATED = [...SHOWING_CASES, 'getEntity', 'listLabels', 'listEntries'] as const
const LABELS = ['fraud', 'chargeback', 'legitimate']

interface DecideBoxProps {
  domain: string
  detail: CaseDetail
}

/** Closes a case with what to do, and in the same step labels its subject and puts it on a list. */
export function DecideBox({ domain, detail }: DecideBoxProps) {
  const undo = useApiMutation('undoCaseDecision', OUTDATED)
  const params = { domain, case_id: detail.case.number }
  const mayWork = useMay('cases:write')
  if (detail.case.status !== 'closed') return mayWork ? <DecideForm domain={domain} detail={detail} /> : null
  return (
    <Section title="Decision">
      <Text size="sm">
        {detail.case.outcome === null
          ? 'It was closed without a decision.'
          : `Decided: ${ACTION_LABELS[detail.case.outcome]}.`}
      </Text>
      {detail.undoable && mayWork && (
        <Group>
          <Button
            variant="default"
            loading={undo.isPending}
            onClick={() => void attempt('The decision was taken back.', () => undo.mutateAsync({ params }))}
          >
            Take back
          </Button>
        </Group>
      )}
    </Section>
  )
}

function DecideForm({ domain, detail: { case: shown } }: DecideBoxProps) {
  const mayLabel = useMay('labels:write')
  const mayList = useMay('case-lists:write')
  const decide = useApiMutation('decideCase', OUTDATED)
  const [action, setAction] = useState<DecisionAction>('allow')
  const [label, setLabel] = useState<string | null>(null)
  const [list, setList] = useState<string | null>(null)
  const [note, setNote] = useState('')
  const { type } = shown.subject
  const canLabel = mayLabel && LABEL_SUBJECTS.some((known) => known === type)
  const canList = mayList && type !== 'finding'
  const submit = () =>
    void attempt('The case is closed.', () =>
      decide.mutateAsync({
        params: { domain, case_id: shown.number },
        body: {
          action,
          note: note.trim(),
          ...(label !== null && { label }),
          ...(list !== null && { list: list as ListName }),
        },
      }),
    )
  return (
    <Section
      title="Decide"
      about="It closes the case. Later visits are decided by lists and rules: put the subject on a list to change them."
    >
      <SegmentedControl
        aria-label="What to do"
        data={DECISION_ACTIONS.map((value) => ({ value, label: ACTION_LABELS[value] }))}
        value={action}
        onChange={(value) => setAction(value as DecisionAction)}
      />
      <Group gap="xs" grow>
        {canLabel && (
          <Select
            label="Label"
            placeholder="none"
            data={LABELS.map((value) => ({ value, label: words(value) }))}
            value={label}
            onChange={setLabel}
          />
        )}
        {canList && (
          <Select
            label="List"
            placeholder="none"
            data={LIST_NAMES.map((value) => ({ value, label: LIST_LABELS[value] }))}
            value={list}
            onChange={setList}
          />
        )}
      </Group>
      <Textarea
        label="Why"
        value={note}
        maxLength={4_000}
        autosize
        minRows={2}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      <Group>
        <Button loading={decide.isPending} onClick={submit}>
          Decide and close
        </Button>
      </Group>
    </Section>
  )
}
