import type { Case } from '@inkling/contract/account'
import { Button, Group, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useMay } from '../../api/rights.ts'
import { useApiMutation } from '../../api/use-api.ts'
import { SHOWING_CASES } from '../../parts/case-words.tsx'
import { attempt } from '../../parts/feedback.tsx'
import { Section } from '../../parts/layout.tsx'

export function NoteForm({ domain, shown }: { domain: string; shown: Case }) {
  const add = useApiMutation('addToCase', SHOWING_CASES)
  const mayWork = useMay('cases:write')
  const [note, setNote] = useState('')
  async function submit(): Promise<void> {
    const added = await attempt('The note was added.', () =>
      add.mutateAsync({ params: { domain, case_id: shown.number }, body: { note: note.trim() } }),
    )
    if (added) setNote('')
  }
  if (!mayWork) return null
  return (
    <Section title="Add a note" about="An @ with the e-mail address of a user mentions them.">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (note.trim() !== '') void submit()
        }}
      >
        <Textarea
          label="Note"
          value={note}
          maxLength={4_000}
          autosize
          minRows={3}
          mb="xs"
          onChange={(event) => setNote(event.currentTarget.value)}
        />
        <Group>
          <Button type="submit" variant="default" loading={add.isPending}>
            Add the note
          </Button>
        </Group>
      </form>
    </Section>
  )
}
