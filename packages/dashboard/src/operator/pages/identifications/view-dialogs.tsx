import type { SavedView } from '@inkling/contract/account'
import { Button, Checkbox, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useApiMutation } from '../../api/use-api.ts'
import { FormDialog } from '../../parts/dialogs.tsx'
import { attempt, ErrorAlert } from '../../parts/feedback.tsx'
import { filterLabel } from './filter-fields.ts'
import { useColumns } from './kept-columns.ts'
import { useTableSearch } from './table-search.ts'
import { keptQuery, searchOfView, unsavedFilters } from './view-search.ts'

const NAME_MAX = 80

/** Saves the filters, the order and the columns of the address under a name. */
export function SaveViewDialog({ close }: { close(): void }) {
  const { domain, search, redirect } = useTableSearch()
  const [name, setName] = useState('')
  const [shared, setShared] = useState(false)
  const { columns } = useColumns()
  const save = useApiMutation('saveView', ['listViews'])
  const unsaved = unsavedFilters(search)

  async function submit(): Promise<void> {
    const query = keptQuery(search, columns)
    const body = { page: 'identifications', name, search: query, shared } as const
    const saved = await save.mutateAsync({ params: { domain }, body }).catch(() => undefined)
    if (!saved) return
    redirect(searchOfView(saved))
    close()
  }
  return (
    <FormDialog
      opened
      close={close}
      title="Save the current filters"
      submit={() => void submit()}
      button={
        <Button type="submit" loading={save.isPending} disabled={name.trim() === ''}>
          Save
        </Button>
      }
    >
      {save.error && <ErrorAlert error={save.error} />}
      {unsaved.length > 0 && (
        <Text size="sm">
          A view keeps no identifiers of visitors: {unsaved.map(filterLabel).join(', ')} will not be in it.
        </Text>
      )}
      <TextInput
        label="Name"
        value={name}
        maxLength={NAME_MAX}
        autoComplete="off"
        data-autofocus
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Checkbox
        label="Share with all users"
        checked={shared}
        onChange={(event) => setShared(event.currentTarget.checked)}
      />
    </FormDialog>
  )
}

export function RenameViewDialog({ view, close }: { view: SavedView; close(): void }) {
  const { domain } = useTableSearch()
  const [name, setName] = useState(view.name)
  const change = useApiMutation('changeView', ['listViews'])

  async function submit(): Promise<void> {
    const params = { domain, view_id: view.id }
    const renamed = await attempt('The view was renamed.', () =>
      change.mutateAsync({ params, body: { name } }),
    )
    if (renamed) close()
  }
  return (
    <FormDialog
      opened
      close={close}
      title="Rename the view"
      submit={() => void submit()}
      button={
        <Button type="submit" loading={change.isPending} disabled={name.trim() === ''}>
          Rename
        </Button>
      }
    >
      <TextInput
        label="Name"
        value={name}
        maxLength={NAME_MAX}
        autoComplete="off"
        data-autofocus
        onChange={(event) => setName(event.currentTarget.value)}
      />
    </FormDialog>
  )
}
