import type { ListKind, ListName } from '@inkling/contract'
import { LIST_NAMES } from '@inkling/contract'
import { Select, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useState } from 'react'
import { useApiMutation } from '../api/use-api.ts'
import { AddDialog } from './dialogs.tsx'
import { attempt } from './feedback.tsx'
import { KIND_LABELS, LIST_LABELS } from './list-words.ts'

const REASON_MAX = 200

interface AddListEntryProps {
  domain: string
  title: string
  /** What can be added; with a value where the page is about something. */
  offered: readonly { kind: ListKind; value: string }[]
  /** Of the button, where it is not the page's main one. */
  quiet?: boolean
}

/** Adds an entry to a list; on a page about something, its values are filled in. */
export function AddListEntry({ domain, title, offered, quiet = false }: AddListEntryProps) {
  const disclosure = useDisclosure()
  const add = useApiMutation('saveListEntry', ['listEntries'])
  const entry = useEntryFields()
  const [kind, setKind] = useState<ListKind>()
  const [typed, setTyped] = useState<string>()
  const chosen = offered.find((one) => one.kind === kind) ?? offered[0]
  if (chosen === undefined) return null
  const value = typed ?? chosen.value

  const submit = () =>
    add.mutate(
      { params: { domain }, body: { ...entry.read(), kind: chosen.kind, value: value.trim() } },
      {
        onSuccess() {
          setTyped(undefined)
          entry.clear()
          disclosure[1].close()
        },
      },
    )

  return (
    <AddDialog title={title} disclosure={disclosure} mutation={add} submit={submit} quiet={quiet}>
      {entry.list}
      <Select
        label="Kind"
        data={offered.map((one) => ({ value: one.kind, label: KIND_LABELS[one.kind] }))}
        value={chosen.kind}
        allowDeselect={false}
        onChange={(next) => {
          setKind((next as ListKind | null) ?? chosen.kind)
          setTyped(undefined)
        }}
      />
      <TextInput
        label="Value"
        value={value}
        required
        autoComplete="off"
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      {entry.details}
    </AddDialog>
  )
}

interface AddAllProps {
  domain: string
  kind: ListKind
  values: readonly string[]
  /** Such as `14 accounts`. */
  counted: string
  /** Suggested as the reason. */
  because: string
}

/** Adds all values of a kind to a list at once, such as the accounts of a ring. */
export function AddAllToList({ domain, kind, values, counted, because }: AddAllProps) {
  const disclosure = useDisclosure()
  const add = useApiMutation('saveListEntries', ['listEntries'])
  const entry = useEntryFields(because)
  const submit = () =>
    void attempt(
      ({ replaced_values }) => `${counted} are on the list.${replacedText(replaced_values)}`,
      async () => {
        const body = { ...entry.read(), kind, values: [...values] }
        const saved = await add.mutateAsync({ params: { domain }, body })
        disclosure[1].close()
        return saved
      },
    )
  return (
    <AddDialog
      title={`Add ${counted} to a list`}
      disclosure={disclosure}
      mutation={add}
      submit={submit}
      quiet
    >
      {entry.list}
      {entry.details}
    </AddDialog>
  )
}

const NAMED_MAX = 5

/** What the list had already, with another reason or end; of many the first. */
function replacedText(values: readonly string[]): string {
  if (values.length === 0) return ''
  const named = values.slice(0, NAMED_MAX).join(', ')
  const others = values.length - NAMED_MAX
  const all = others > 0 ? `${named} and ${others} more` : named
  return values.length === 1 ? ` The entry of ${all} was replaced.` : ` The entries of ${all} were replaced.`
}

/** What all entries have: which list, why, and until when. */
function useEntryFields(because = '') {
  const [list, setList] = useState<ListName>('deny')
  const [reason, setReason] = useState(because)
  const [until, setUntil] = useState('')
  return {
    read: () => ({
      list,
      reason: reason.trim(),
      expires_at: until === '' ? null : new Date(until).toISOString(),
    }),
    clear() {
      setReason(because)
      setUntil('')
    },
    list: (
      <Select
        label="List"
        description="Deny and allow decide before any rule does; watch leads to a review or something stricter."
        data={LIST_NAMES.map((name) => ({ value: name, label: LIST_LABELS[name] }))}
        value={list}
        allowDeselect={false}
        onChange={(next) => setList((next as ListName | null) ?? list)}
      />
    ),
    details: (
      <>
        <TextInput
          label="Reason"
          description="Decisions give it as their reason."
          value={reason}
          maxLength={REASON_MAX}
          data-autofocus
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        <TextInput
          label="Until"
          description="In your time zone. Without it the entry counts until it is removed."
          type="datetime-local"
          value={until}
          onChange={(event) => setUntil(event.currentTarget.value)}
        />
      </>
    ),
  }
}
