import type { AccountUser } from '@inkling/contract/account'
import { ScrollArea, Table } from '@mantine/core'
import { useAnswer } from '../../api/use-api.ts'
import { Answered } from '../../parts/answered.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Time } from '../../parts/time.tsx'
import { AddUser } from './add-user.tsx'
import { UserControls } from './user-controls.tsx'

export function UsersPage() {
  const query = useAnswer('listUsers', {})
  return (
    <>
      <PageHead title="Users" about="Owners change things, analysts read.">
        <AddUser />
      </PageHead>
      <Answered query={query}>{(users) => <Users users={users} />}</Answered>
    </>
  )
}

const Users = ({ users }: { users: readonly AccountUser[] }) => (
  <ScrollArea viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': 'Users' }}>
    <Table miw={640} withTableBorder verticalSpacing={6}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>E-mail</Table.Th>
          <Table.Th>Added</Table.Th>
          <Table.Th>Role</Table.Th>
          <Table.Th>Access</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {users.map((user) => (
          <Table.Tr key={user.id}>
            <Table.Td>{user.email}</Table.Td>
            <Table.Td>
              <Time at={user.created_at} />
            </Table.Td>
            <UserControls user={user} />
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </ScrollArea>
)
