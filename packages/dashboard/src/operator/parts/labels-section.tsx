import { LABEL_KIND_PATTERN, type Label, type LabelSubject } from '@inkling/contract'
import type { ReachingLabel } from '@inkling/contract/account'
import { Autocomplete, Button, Group, Select, Table, Text, Textarea } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useState } from 'react'
import { useMay } from '../api/rights.ts'
import { useApiMutation } from '../api/use-api.ts'
import { StatusBadge } from './badges.tsx'
import { AddDialog } from './dialogs.tsx'
import { attempt } from './feedback.tsx'
import { Time, words } from './format.tsx'
import { ScrollTable, Section } from './layout.tsx'
import { REACH_WORDS, SUBJECT_LABELS } from './list-words.ts'

/** Where labels of people in the dashboard come from; a backend names its own. */
const SOURCE = 'dashboard'
export const LABEL_KINDS = ['fraud', 'chargeback', 'legitimate']
/** What a changed label outdates. */
export const SHOWING_LABELS = ['getIdentification', 'getEntity', 'listLabels'] as const

interface LabelsSectionProps {
  domain: string
  labels: readonly ReachingLabel[]
  /** What the page is about, which a new label can name. */
  subjects: readonly { type: LabelSubject; value: string }[]
}

/** What was found out afterwards, and how it reaches what the page is about. */
export function LabelsSection({ domain, labels, subjects }: LabelsSectionProps) {
  const mayChange = useMay('labels:write')
  return (
    <Section
      title="Labels"
      about="What you found out about it afterwards. They change no score; back-tests measure rules against them."
    >
      {labels.length === 0 ? (
        <Text size="sm">There are none.</Text>
      ) : (
        <LabelTable domain={domain} labels={labels} mayChange={mayChange} />
      )}
      {mayChange && (
        <Group>
          <AddLabel domain={domain} subjects={subjects} />
        </Group>
      )}
    </Section>
  )
}

const toneOf = (kind: string) =>
  kind === 'legitimate' ? 'trusted' : kind === 'fraud' || kind === 'chargeback' ? 'dangerous' : 'rate_limited'

export const LabelBadge = ({ kind }: { kind: string }) => (
  <StatusBadge tone={toneOf(kind)}>{words(kind)}</StatusBadge>
)

export const LabelSource = ({ label: { source, author } }: { label: Pick<Label, 'source' | 'author'> }) => (
  <Table.Td>
    {words(source)}
    <Text size="xs" className="dim">
      {author}
    </Text>
  </Table.Td>
)

function LabelTable({
  domain,
  labels,
  mayChange,
}: Pick<LabelsSectionProps, 'domain' | 'labels'> & { mayChange: boolean }) {
  const remove = useApiMutation('removeLabel', SHOWING_LABELS)
  return (
    <ScrollTable
      label="Labels that reach it"
      head={['Label', 'Reaches it', 'Known since', 'Source', 'Note', ...(mayChange ? ['Remove'] : [])]}
      miw={600}
    >
      {labels.map(({ label, reach }) => (
        <Table.Tr key={label.id}>
          <Table.Td>
            <LabelBadge kind={label.kind} />
          </Table.Td>
          <Table.Td>
            {REACH_WORDS[reach]}
            <Text size="xs" className="dim" title={label.subject.value}>
              {words(label.subject.type)} {label.subject.value.slice(0, 20)}
            </Text>
          </Table.Td>
          <Table.Td>
            <Time at={label.at} />
          </Table.Td>
          <LabelSource label={label} />
          <Table.Td>{label.note}</Table.Td>
          {mayChange && (
            <Table.Td>
              <Button
                size="compact-sm"
                variant="default"
                aria-label={`Remove the label ${words(label.kind)} of ${words(label.source)}`}
                onClick={() =>
                  void attempt('The label was removed.', () =>
                    remove.mutateAsync({ params: { domain, label_id: label.id } }),
                  )
                }
              >
                Remove
              </Button>
            </Table.Td>
          )}
        </Table.Tr>
      ))}
    </ScrollTable>
  )
}

function AddLabel({ domain, subjects }: Pick<LabelsSectionProps, 'domain' | 'subjects'>) {
  const disclosure = useDisclosure()
  const add = useApiMutation('saveLabel', SHOWING_LABELS)
  const [kind, setKind] = useState('fraud')
  const [type, setType] = useState<LabelSubject>()
  const [note, setNote] = useState('')
  const subject = subjects.find((one) => one.type === type) ?? subjects[0]
  if (!subject) return null
  const isKind = LABEL_KIND_PATTERN.test(kind)

  const submit = () => {
    if (!isKind) return
    add.mutate(
      { params: { domain }, body: { kind, subject, source: SOURCE, note: note.trim() } },
      {
        onSuccess() {
          setNote('')
          disclosure[1].close()
        },
      },
    )
  }

  return (
    <AddDialog title="Add a label" disclosure={disclosure} mutation={add} submit={submit} quiet>
      <Autocomplete
        label="Label"
        description="One of these, or a kind of your own."
        data={LABEL_KINDS}
        value={kind}
        error={isKind ? undefined : 'Lower-case letters, digits and underscores, at most 40'}
        errorProps={{ role: 'alert' }}
        onChange={setKind}
      />
      <Select
        label="About"
        data={subjects.map((one) => ({ value: one.type, label: SUBJECT_LABELS[one.type] }))}
        value={subject.type}
        allowDeselect={false}
        onChange={(next) => setType((next as LabelSubject | null) ?? subject.type)}
      />
      <Textarea
        label="Note"
        value={note}
        maxLength={500}
        autosize
        minRows={2}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
    </AddDialog>
  )
}
