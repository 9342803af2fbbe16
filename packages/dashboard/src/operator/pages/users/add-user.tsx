import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN, ROLES, type Role } from '@inkling/contract/account'
import { PasswordInput, Select, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { type FormEvent, useState } from 'react'
import { useChange } from '../../api/use-api.ts'
import { AddDialog } from '../../parts/add-dialog.tsx'

export function AddUser() {
  const disclosure = useDisclosure()
  const [role, setRole] = useState<Role>('analyst')
  const add = useChange('addUser', ['listUsers'])

  function submit(event: FormEvent<HTMLFormElement>): void {
    const form = new FormData(event.currentTarget)
    const body = { email: String(form.get('email')), password: String(form.get('password')), role }
    add.mutate({ body }, { onSuccess: disclosure[1].close })
  }

  return (
    <AddDialog title="Add a user" disclosure={disclosure} change={add} submit={submit}>
      <TextInput label="E-mail" name="email" required autoComplete="off" data-autofocus />
      <PasswordInput
        label="Password"
        description={`At least ${PASSWORD_LENGTH_MIN} characters; tell it to the user by a safe way`}
        name="password"
        autoComplete="new-password"
        minLength={PASSWORD_LENGTH_MIN}
        maxLength={PASSWORD_LENGTH_MAX}
        required
      />
      <Select
        label="Role"
        data={ROLES}
        value={role}
        allowDeselect={false}
        onChange={(chosen) => setRole(chosen === 'owner' ? 'owner' : 'analyst')}
      />
    </AddDialog>
  )
}
