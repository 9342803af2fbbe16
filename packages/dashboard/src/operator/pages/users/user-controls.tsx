import { type AccountUser, ROLES } from '@inkling/contract/account'
import { Button, Select, Table } from '@mantine/core'
import { useState } from 'react'
import { useChange } from '../../api/use-api.ts'
import { attempt } from '../../parts/attempt.ts'
import { Confirm } from '../../parts/confirm.tsx'

/** Cells with what an owner may change about somebody. */
export function UserControls({ user: { id, email, role } }: { user: AccountUser }) {
  const [removing, setRemoving] = useState(false)
  const change = useChange('changeUser', ['listUsers'])
  const remove = useChange('removeUser', ['listUsers'])
  const params = { user_id: id }
  return (
    <>
      <Table.Td>
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
              void attempt(`${email} is now ${next}.`, () =>
                change.mutateAsync({ params, body: { role: next } }),
              )
          }}
        />
      </Table.Td>
      <Table.Td>
        <Button size="xs" variant="default" aria-label={`Remove ${email}`} onClick={() => setRemoving(true)}>
          Remove
        </Button>
        <Confirm
          opened={removing}
          close={() => setRemoving(false)}
          title={`Remove ${email}?`}
          action="Remove"
          confirm={() => attempt(`${email} was removed.`, () => remove.mutateAsync({ params }))}
        >
          Their sessions end at once.
        </Confirm>
      </Table.Td>
    </>
  )
}
