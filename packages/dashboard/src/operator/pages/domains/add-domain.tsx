import type { NewDomainKeys } from '@inkling/contract/account'
import { TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useState } from 'react'
import { useChange } from '../../api/use-api.ts'
import { AddDialog } from '../../parts/add-dialog.tsx'

export function AddDomain({ added }: { added(keys: NewDomainKeys): void }) {
  const disclosure = useDisclosure()
  const [domain, setDomain] = useState('')
  const add = useChange('addDomain', ['listDomains'])

  const submit = () =>
    add.mutate(
      { body: { domain: domain.trim() } },
      {
        onSuccess(keys) {
          setDomain('')
          disclosure[1].close()
          added(keys)
        },
      },
    )

  return (
    <AddDialog title="Add a domain" disclosure={disclosure} change={add} submit={submit}>
      <TextInput
        label="Domain"
        description="Lower case, without scheme, port, path or www."
        placeholder="shop.example"
        value={domain}
        required
        data-autofocus
        onChange={(event) => setDomain(event.currentTarget.value)}
      />
    </AddDialog>
  )
}
