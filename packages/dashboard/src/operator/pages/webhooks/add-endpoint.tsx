import type { NewEndpoint } from '@inkling/contract/account'
import { TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useState } from 'react'
import { useChange } from '../../api/use-api.ts'
import { AddDialog } from '../../parts/add-dialog.tsx'

interface AddEndpointProps {
  domain: string
  added(endpoint: NewEndpoint): void
}

export function AddEndpoint({ domain, added }: AddEndpointProps) {
  const disclosure = useDisclosure()
  const [url, setUrl] = useState('')
  const add = useChange('addEndpoint', ['listEndpoints', 'listDomains'])

  const submit = () =>
    add.mutate(
      { params: { domain }, body: { url: url.trim() } },
      {
        onSuccess(endpoint) {
          setUrl('')
          disclosure[1].close()
          added(endpoint)
        },
      },
    )

  return (
    <AddDialog title="Add an endpoint" disclosure={disclosure} change={add} submit={submit}>
      <TextInput
        label="URL"
        placeholder={`https://backend.${domain}/inkling`}
        value={url}
        required
        data-autofocus
        onChange={(event) => setUrl(event.currentTarget.value)}
      />
    </AddDialog>
  )
}
