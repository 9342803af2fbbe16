import {
  type AccountUser,
  type Invitation,
  type NewInvitation,
  ROLE_MEANINGS,
  ROLES,
  type Role,
} from '@inkling/contract/account'
import { Anchor, Button, Menu, Select, Stack, Table, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useApiMutation, useApiQuery } from '../../api/use-api.ts'
import { StatusBadge } from '../../parts/badges.tsx'
import { AddDialog, ConfirmDialog } from '../../parts/dialogs.tsx'
import { attempt, Loaded } from '../../parts/feedback.tsx'
import { Time } from '../../parts/format.tsx'
import { Icon } from '../../parts/icon.tsx'
import { InvitationLink, OpenInvitations, SHOWING_INVITATIONS } from '../../parts/invitations.tsx'
import { PageHead, ScrollTable } from '../../parts/layout.tsx'

export function UsersPage() {
  const query = useApiQuery('listUsers', {})
  const invitations = useApiQuery('listInvitations', {})
  const [made, setMade] = useState<NewInvitation>()
  return (
    <>
      <PageHead about="An owner may do everything, an analyst reads every domain and works on its cases, a member has only the roles that domains give.">
        <InviteUser show={setMade} />
      </PageHead>
      <Stack>
        <Loaded query={query}>
          {(users) => (
            <ScrollTable
              label="Users"
              head={['E-mail', 'Added', 'Second factor', 'Role', 'In domains', 'Access']}
              miw={860}
              withTableBorder
            >
              {users.map((user) => (
                <Table.Tr key={user.id}>
                  <Table.Td>
                    {user.email}
                    {user.invited_into !== null && (
                      <div className="dim">invited by an owner of {user.invited_into}, not confirmed</div>
                    )}
                  </Table.Td>
                  <Table.Td>
                    <Time at={user.created_at} />
                  </Table.Td>
                  <Table.Td>
                    <StatusBadge tone={user.second_factor ? 'trusted' : 'rate_limited'}>
                      {user.second_factor ? 'In use' : 'None'}
                    </StatusBadge>
                  </Table.Td>
                  <Table.Td>
                    <RoleSelect user={user} />
                  </Table.Td>
                  <Table.Td>
                    <DomainRoles user={user} />
                  </Table.Td>
                  <Table.Td>
                    <UserMenu user={user} show={setMade} />
                  </Table.Td>
                </Table.Tr>
              ))}
            </ScrollTable>
          )}
        </Loaded>
        {invitations.data && invitations.data.length > 0 && <Invitations invitations={invitations.data} />}
      </Stack>
      <InvitationLink made={made} close={() => setMade(undefined)} />
    </>
  )
}

interface ShowLink {
  show(made: NewInvitation): void
}

function InviteUser({ show }: ShowLink) {
  const disclosure = useDisclosure()
  const [role, setRole] = useState<Role>('analyst')
  const invite = useApiMutation('inviteUser', SHOWING_INVITATIONS)

  function submit(event: FormEvent<HTMLFormElement>): void {
    const email = String(new FormData(event.currentTarget).get('email')).trim()
    invite.mutate(
      { body: { email, role } },
      {
        onSuccess(made) {
          disclosure[1].close()
          show(made)
        },
      },
    )
  }

  return (
    <AddDialog
      title="Invite a user"
      action="Invite"
      disclosure={disclosure}
      mutation={invite}
      submit={submit}
    >
      <TextInput label="E-mail" name="email" required autoComplete="off" data-autofocus />
      <Select
        label="Role"
        data={ROLES}
        value={role}
        allowDeselect={false}
        onChange={(chosen) => setRole(ROLES.find((known) => known === chosen) ?? role)}
        description={ROLE_MEANINGS[role]}
      />
    </AddDialog>
  )
}

function Invitations({ invitations }: { invitations: readonly Invitation[] }) {
  const remove = useApiMutation('removeInvitation', SHOWING_INVITATIONS)
  return (
    <OpenInvitations
      invitations={invitations.map(({ role, in_domain, ...invitation }) => ({
        ...invitation,
        role: in_domain ? `${in_domain.role} in ${in_domain.domain}` : role,
      }))}
      withdraw={(invitation_id) => remove.mutateAsync({ params: { invitation_id } })}
    />
  )
}

/** Roles in domains, each with a link to the page where it is changed. */
const DomainRoles = ({ user: { role, domains } }: { user: AccountUser }) => {
  if (role === 'owner') return 'every right in all'
  return (
    <Stack gap={2}>
      {role === 'analyst' && <span>analyst of all</span>}
      {domains.map(({ domain, role: there }) => (
        <span key={domain}>
          <Anchor
            inherit
            renderRoot={(props) => <Link {...props} to="/d/$domain/members" params={{ domain }} />}
          >
            {domain}
          </Anchor>
          : {there}
        </span>
      ))}
      {role === 'member' && domains.length === 0 && <span className="dim">none yet</span>}
    </Stack>
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
          void attempt(`${email} now has the role ${next}.`, () =>
            change.mutateAsync({ params: { user_id: id }, body: { role: next } }),
          )
      }}
    />
  )
}

type Question = 'remove' | 'second factor'

function UserMenu({ user: { id, email, second_factor }, show }: { user: AccountUser } & ShowLink) {
  const [asking, setAsking] = useState<Question>()
  const link = useApiMutation('invitePasswordChange', SHOWING_INVITATIONS)
  const remove = useApiMutation('removeUser', ['listUsers'])
  const forget = useApiMutation('removeSecondFactor', ['listUsers'])
  const params = { user_id: id }

  async function makeLink(): Promise<void> {
    const made = await attempt('The link was made.', () => link.mutateAsync({ params }))
    if (made) show(made)
  }

  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button
            size="xs"
            variant="default"
            aria-label={`Change access of ${email}`}
            rightSection={<Icon name="down" size={14} />}
          >
            Change
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => void makeLink()}>Link for a new password</Menu.Item>
          {second_factor && (
            <Menu.Item onClick={() => setAsking('second factor')}>Remove the second factor</Menu.Item>
          )}
          <Menu.Item onClick={() => setAsking('remove')}>Remove the user</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <ConfirmDialog
        opened={asking === 'remove'}
        close={() => setAsking(undefined)}
        title={`Remove ${email}?`}
        action="Remove"
        confirm={() => attempt(`${email} was removed.`, () => remove.mutateAsync({ params }))}
      >
        Their sessions end immediately.
      </ConfirmDialog>
      <ConfirmDialog
        opened={asking === 'second factor'}
        close={() => setAsking(undefined)}
        title={`Remove the second factor of ${email}?`}
        action="Remove"
        confirm={() => attempt('The second factor was removed.', () => forget.mutateAsync({ params }))}
      >
        Make sure that the request really comes from them. Their sessions end immediately, and their password
        alone signs them in until they set up a new one.
      </ConfirmDialog>
    </>
  )
}
