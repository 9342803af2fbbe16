import {
  DOMAIN_ROLE_NAMES,
  DOMAIN_ROLES,
  type DomainRole,
  type Member,
  type MemberInvitation,
  type NewMemberInvitation,
  ROLES,
} from '@inkling/contract/account'
import { Button, Select, Stack, Table, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { getRouteApi } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useApiMutation, useApiQuery } from '../../api/use-api.ts'
import { AddDialog, ConfirmDialog } from '../../parts/dialogs.tsx'
import { attempt, Empty, Loaded } from '../../parts/feedback.tsx'
import { Time } from '../../parts/format.tsx'
import { InvitationLink, OpenInvitations, SHOWING_INVITATIONS } from '../../parts/invitations.tsx'
import { Facts, PageHead, ScrollTable, Section } from '../../parts/layout.tsx'

const route = getRouteApi('/signed-in/d/$domain/members')

/** Somebody may change their own role. */
const SHOWING_ROLES = [
  'listMembers',
  'listUsers',
  'listDomains',
  'countCases',
  'getCase',
  'listCases',
] as const

export function MembersPage() {
  const { domain } = route.useParams()
  const query = useApiQuery('listMembers', { params: { domain } })
  const [made, setMade] = useState<NewMemberInvitation>()
  return (
    <>
      <PageHead
        about={`Who can see ${domain}, and what they may do there. Nobody else can tell that it is here.`}
      >
        <GiveRole domain={domain} />
        <InviteMember domain={domain} show={setMade} />
      </PageHead>
      <Stack>
        <Loaded query={query}>
          {({ data, invited, of_installation }) => (
            <>
              {data.length === 0 ? (
                <Empty title="Nobody has a role in this domain yet">
                  Add somebody who has an account here, or invite somebody new.
                </Empty>
              ) : (
                <MembersTable domain={domain} members={data} />
              )}
              {invited.length > 0 && <Invited domain={domain} invitations={invited} />}
              <Section title="Through a role in the installation">
                <Facts
                  facts={ROLES.flatMap((role) => {
                    const people = of_installation.filter((one) => one.role === role)
                    return people.length === 0
                      ? []
                      : [{ name: role, value: people.map(({ email }) => email).join(', ') }]
                  })}
                />
              </Section>
            </>
          )}
        </Loaded>
        <Section title="What the roles mean">
          <Facts
            facts={DOMAIN_ROLE_NAMES.map((role) => ({ name: role, value: DOMAIN_ROLES[role].meaning }))}
          />
        </Section>
      </Stack>
      <InvitationLink made={made} close={() => setMade(undefined)} />
    </>
  )
}

interface MembersTableProps {
  domain: string
  members: readonly Member[]
}

const MembersTable = ({ domain, members }: MembersTableProps) => (
  <ScrollTable label="Members" head={['E-mail', 'Role', 'Given', 'Access']} miw={640} withTableBorder>
    {members.map((member) => (
      <Table.Tr key={member.user_id}>
        <Table.Td>{member.email}</Table.Td>
        <Table.Td>
          <ChangeRole domain={domain} member={member} />
        </Table.Td>
        <Table.Td>
          <Time at={member.given_at} /> by {member.given_by}
        </Table.Td>
        <Table.Td>
          <TakeRole domain={domain} member={member} />
        </Table.Td>
      </Table.Tr>
    ))}
  </ScrollTable>
)

interface MemberProps {
  domain: string
  member: Member
}

function ChangeRole({ domain, member: { email, role } }: MemberProps) {
  const give = useApiMutation('giveRole', SHOWING_ROLES)
  return (
    <Select
      aria-label={`Role of ${email}`}
      size="xs"
      w={140}
      data={DOMAIN_ROLE_NAMES}
      value={role}
      allowDeselect={false}
      onChange={(chosen) => {
        const next = DOMAIN_ROLE_NAMES.find((known) => known === chosen)
        if (next !== undefined && next !== role)
          void attempt(`${email} now has the role ${next}.`, () =>
            give.mutateAsync({ params: { domain }, body: { email, role: next } }),
          )
      }}
    />
  )
}

function TakeRole({ domain, member: { user_id, email } }: MemberProps) {
  const [asking, setAsking] = useState(false)
  const take = useApiMutation('takeRole', SHOWING_ROLES)
  return (
    <>
      <Button size="xs" variant="default" aria-label={`Remove ${email}`} onClick={() => setAsking(true)}>
        Remove
      </Button>
      <ConfirmDialog
        opened={asking}
        close={() => setAsking(false)}
        title={`Remove ${email} from ${domain}?`}
        action="Remove"
        confirm={() =>
          attempt(`${email} has no role in ${domain} any more.`, () =>
            take.mutateAsync({ params: { domain, user_id } }),
          )
        }
      >
        They and their assistants lose the domain at once, and their cases are nobody’s. The account stays.
      </ConfirmDialog>
    </>
  )
}

interface InvitedProps {
  domain: string
  invitations: readonly MemberInvitation[]
}

function Invited({ domain, invitations }: InvitedProps) {
  const withdraw = useApiMutation('withdrawMemberInvitation', SHOWING_INVITATIONS)
  return (
    <OpenInvitations
      invitations={invitations}
      withdraw={(invitation_id) => withdraw.mutateAsync({ params: { domain, invitation_id } })}
    />
  )
}

interface InviteMemberProps {
  domain: string
  show(made: NewMemberInvitation): void
}

function InviteMember({ domain, show }: InviteMemberProps) {
  const disclosure = useDisclosure()
  const [role, setRole] = useState<DomainRole>('reviewer')
  const invite = useApiMutation('inviteMember', SHOWING_INVITATIONS)

  function submit(event: FormEvent<HTMLFormElement>): void {
    const email = String(new FormData(event.currentTarget).get('email')).trim()
    invite.mutate(
      { params: { domain }, body: { email, role } },
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
      title="Invite somebody new"
      action="Invite"
      disclosure={disclosure}
      mutation={invite}
      submit={submit}
    >
      <RoleFields
        about="Of somebody without an account in this installation. They will see this domain alone."
        role={role}
        setRole={setRole}
      />
    </AddDialog>
  )
}

function GiveRole({ domain }: { domain: string }) {
  const disclosure = useDisclosure()
  const [role, setRole] = useState<DomainRole>('reviewer')
  const give = useApiMutation('giveRole', SHOWING_ROLES)

  function submit(event: FormEvent<HTMLFormElement>): void {
    const email = String(new FormData(event.currentTarget).get('email')).trim()
    give.mutate({ params: { domain }, body: { email, role } }, { onSuccess: disclosure[1].close })
  }

  return (
    <AddDialog title="Add a member" disclosure={disclosure} mutation={give} submit={submit}>
      <RoleFields
        about="Of somebody who has an account in this installation."
        role={role}
        setRole={setRole}
      />
    </AddDialog>
  )
}

interface RoleFieldsProps {
  /** What the address is. */
  about: string
  role: DomainRole
  setRole(role: DomainRole): void
}

const RoleFields = ({ about, role, setRole }: RoleFieldsProps) => (
  <>
    <TextInput label="E-mail" description={about} name="email" required autoComplete="off" data-autofocus />
    <Select
      label="Role"
      description={DOMAIN_ROLES[role].meaning}
      data={DOMAIN_ROLE_NAMES}
      value={role}
      allowDeselect={false}
      onChange={(chosen) => setRole(DOMAIN_ROLE_NAMES.find((known) => known === chosen) ?? role)}
    />
  </>
)
