import { API_KEY_SCOPE_NAMES, API_KEY_SCOPES, type ApiKeyScope } from '@inkling/contract'
import type { MadeApiKey } from '@inkling/contract/account'
import { Checkbox, Stack, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useState } from 'react'
import { useApiMutation } from '../../api/use-api.ts'
import { AddDialog } from '../../parts/dialogs.tsx'
import { ErrorAlert } from '../../parts/feedback.tsx'

const NAME_MAX = 80
const NOTHING_CHOSEN = new Error('Choose at least one thing that it may do.')

interface AddKeyProps {
  domain: string
  show(made: MadeApiKey): void
}

export function AddKey({ domain, show }: AddKeyProps) {
  const disclosure = useDisclosure()
  const add = useApiMutation('addApiKey', ['listApiKeys'])
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState<string[]>([])
  const [until, setUntil] = useState('')
  const [asked, setAsked] = useState(false)

  function submit(): void {
    setAsked(true)
    if (scopes.length === 0) return
    const expires_at = until === '' ? null : new Date(until).toISOString()
    add.mutate(
      { params: { domain }, body: { name: name.trim(), scopes: scopes as ApiKeyScope[], expires_at } },
      {
        onSuccess(made) {
          setName('')
          setScopes([])
          setUntil('')
          setAsked(false)
          disclosure[1].close()
          show(made)
        },
      },
    )
  }

  return (
    <AddDialog title="Add a key" disclosure={disclosure} mutation={add} submit={submit}>
      {asked && scopes.length === 0 && <ErrorAlert error={NOTHING_CHOSEN} />}
      <TextInput
        label="Name"
        description="What uses it, such as the checkout or a report."
        value={name}
        maxLength={NAME_MAX}
        required
        autoComplete="off"
        data-autofocus
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Checkbox.Group
        label="May"
        description="This stays as it is; make another key for something else."
        withAsterisk
        value={scopes}
        onChange={setScopes}
      >
        <Stack gap="xs" mt="xs">
          {API_KEY_SCOPE_NAMES.map((scope) => (
            <Checkbox key={scope} value={scope} label={API_KEY_SCOPES[scope]} description={scope} />
          ))}
        </Stack>
      </Checkbox.Group>
      <TextInput
        label="Until"
        description="In your time zone. Without it the key works until it is revoked."
        type="datetime-local"
        value={until}
        onChange={(event) => setUntil(event.currentTarget.value)}
      />
    </AddDialog>
  )
}
