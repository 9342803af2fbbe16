import {
  type AccountUser,
  PASSWORD_LENGTH_MAX,
  PASSWORD_LENGTH_MIN,
  ROLES,
  type Role,
} from '@inkling/contract/account'
import { Button, PasswordInput, Select, Table, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { type FormEvent, useState } from 'react'
import { useApiMutation, useApiQuery } from '../../api/use-api.ts'
import { AddDialog, ConfirmDialog } from '../../parts/dialogs.tsx'
import { attempt, Loaded } from '../../parts/feedback.tsx'
import { Time } from '../../parts/format.tsx'
import { PageHead, ScrollTable } from '../../parts/layout.tsx'

export function UsersPage() {
  const query = useApiQuery('listUsers', {})
  return (
    <>
      <PageHead about="Owners can change everything; analysts can only read.">
        <AddUser />
      </PageHead>
      <Loaded query={query}>
        {(users) => (
          <ScrollTable label="Users" head={['Email', 'Added', 'Role', 'Access']} miw={640} withTableBorder>
            {users.map((user) => (
              <Table.Tr key={user.id}>
                <Table.Td>{user.email}</Table.Td>
                <Table.Td>
                  <Time at={user.created_at} />
                </Table.Td>
                <Table.Td>
                  <RoleSelect user={user} />
                </Table.Td>
                <Table.Td>
                  <RemoveUser user={user} />
                </Table.Td>
              </Table.Tr>
            ))}
          </ScrollTable>
        )}
      </Loaded>
    </>
  )
}

function AddUser() {
  const disclosure = useDisclosure()
  const [role, setRole] = useState<Role>('analyst')
  const add = useApiMutation('addUser', ['listUsers'])

  function submit(event: FormEvent<HTMLFormElement>): void {
    const form = new FormData(event.currentTarget)
    const body = { email: String(form.get('email')), password: String(form.get('password')), role }
    add.mutate({ body }, { onSuccess: disclosure[1].close })
  }

  return (
    <AddDialog title="Add a user" disclosure={disclosure} mutation={add} submit={submit}>
      <TextInput label="Email" name="email" required autoComplete="off" data-autofocus />
      <PasswordInput
        label="Password"
        description={`At least ${PASSWORD_LENGTH_MIN} characters. Send it to the user over a secure channel.`}
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

function RoleSelect({ user: { id, email, role } }: { user: AccountUser }) {
  const change = useApiMutation('changeUser', ['listUsers'])
  return (
    <Select
      aria-label={`Role of ${email}`}
      size="xs"
      w={120}
      data={ROLES}
      value={role}
      allowDeselect={false}
      onChange={(chosen) => {
        const next = ROLES.find((known) => known === chosen)
        if (next !== undefined && next !== role)
          void attempt(`${email} is now an ${next}.`, () =>
            change.mutateAsync({ params: { user_id: id }, body: { role: next } }),
          )
      }}
    />
  )
}

function RemoveUser({ user: { id, email } }: { user: AccountUser }) {
  const [asking, setAsking] = useState(false)
  const remove = useApiMutation('removeUser', ['listUsers'])
  return (
    <>
      <Button size="xs" variant="default" aria-label={`Remove ${email}`} onClick={() => setAsking(true)}>
        Remove
      </Button>
      <ConfirmDialog
        opened={asking}
        close={() => setAsking(false)}
        title={`Remove ${email}?`}
        action="Remove"
        confirm={() =>
          attempt(`${email} was removed.`, () => remove.mutateAsync({ params: { user_id: id } }))
        }
      >
        Their sessions end immediately.
      </ConfirmDialog>
    </>
  )
}
