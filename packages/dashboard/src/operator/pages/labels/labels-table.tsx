import type { Label } from '@inkling/contract'
import { Button, Table } from '@mantine/core'
import { useState } from 'react'
import { useMay } from '../../api/rights.ts'
import { useApiMutation } from '../../api/use-api.ts'
import { ConfirmDialog } from '../../parts/dialogs.tsx'
import { attempt } from '../../parts/feedback.tsx'
import { Time, words } from '../../parts/format.tsx'
import { Identifier } from '../../parts/identifier.tsx'
import { LabelBadge, LabelSource, SHOWING_LABELS } from '../../parts/labels-section.tsx'
import { ScrollTable } from '../../parts/layout.tsx'
import { ListedValue } from '../../parts/list-entries-table.tsx'
import { LABELLED } from '../../parts/list-words.ts'

interface LabelsTableProps {
  domain: string
  labels: readonly Label[]
}

/** Labels of a domain, each of which can be removed by those who may label. */
export function LabelsTable({ domain, labels }: LabelsTableProps) {
  const mayChange = useMay('labels:write')
  const remove = useApiMutation('removeLabel', SHOWING_LABELS)
  const [asked, setAsked] = useState<Label>()
  return (
    <>
      <ScrollTable
        label="Labels of the domain"
        head={['Label', 'About', 'Value', 'Known since', 'Source', 'Note', ...(mayChange ? ['Remove'] : [])]}
        miw={760}
        withTableBorder
      >
        {labels.map((label) => (
          <Table.Tr key={label.id}>
            <Table.Td>
              <LabelBadge kind={label.kind} />
            </Table.Td>
            <Table.Td>{LABELLED[label.subject.type]}</Table.Td>
            <Table.Td>
              <Subject {...label.subject} />
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
                  aria-label={`Remove the label ${words(label.kind)} of ${label.subject.value}`}
                  onClick={() => setAsked(label)}
                >
                  Remove
                </Button>
              </Table.Td>
            )}
          </Table.Tr>
        ))}
      </ScrollTable>
      <ConfirmDialog
        opened={asked !== undefined}
        close={() => setAsked(undefined)}
        title="Remove the label?"
        action="Remove"
        confirm={() =>
          attempt('The label was removed.', () =>
            remove.mutateAsync({ params: { domain, label_id: asked?.id ?? 0 } }),
          )
        }
      >
        Back-tests no longer count <code>{asked?.subject.value}</code> as {asked && words(asked.kind)}.
      </ConfirmDialog>
    </>
  )
}

const Subject = ({ type, value }: Label['subject']) =>
  type === 'request' ? (
    <Identifier type="request_id" value={value} short />
  ) : (
    <ListedValue kind={type} value={value} />
  )
