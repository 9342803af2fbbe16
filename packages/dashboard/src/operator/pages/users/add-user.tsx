import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN, ROLES, type Role } from '@inkling/contract/account'
import { Button, Group, Modal, PasswordInput, Select, Stack, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { type FormEvent, useState } from 'react'
import { useChange } from '../../api/use-api.ts'
import { Failed } from '../../parts/failed.tsx'
import { Icon } from '../../parts/icon.tsx'

export function AddUser() {
  const [opened, { open, close }] = useDisclosure()
  const [role, setRole] = useState<Role>('analyst')
  const add = useChange('addUser', ['listUsers'])

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const body = { email: String(form.get('email')), password: String(form.get('password')), role }
    add.mutate({ body }, { onSuccess: close })
  }

  return (
    <>
      <Button leftSection={<Icon name="plus" size={16} />} onClick={open}>
        Add a user
      </Button>
      <Modal
        opened={opened}
        onClose={close}
        title="Add a user"
        centered
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <form onSubmit={submit}>
          <Stack>
            {add.error && <Failed error={add.error} />}
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
            <Group justify="flex-end">
              <Button variant="default" onClick={close}>
                Cancel
              </Button>
              <Button type="submit" loading={add.isPending}>
                Add
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </>
  )
}
