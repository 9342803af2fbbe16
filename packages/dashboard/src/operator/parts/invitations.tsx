import type { NewInvitation } from '@inkling/contract/account'
import { Button, Table } from '@mantine/core'
import { useState } from 'react'
import { ConfirmDialog, SecretsDialog } from './dialogs.tsx'
import { attempt } from './feedback.tsx'
import { Time } from './format.tsx'
import { ScrollTable, Section } from './layout.tsx'

/** What shows open invitations: an owner of the installation sees and replaces those into domains, too. */
export const SHOWING_INVITATIONS = ['listInvitations', 'listMembers'] as const

interface InvitationLinkProps {
  /** Undefined while none was made. */
  made: Pick<NewInvitation, 'email' | 'link'> | undefined
  close(): void
}

/** The link with which one person chooses a password. */
export const InvitationLink = ({ made, close }: InvitationLinkProps) => (
  <SecretsDialog
    title={`Link for ${made?.email ?? ''}`}
    about="Send it to that person only. It works once, within three days, and is not shown again."
    secrets={made && [{ name: 'Link', value: made.link }]}
    close={close}
  />
)

interface OpenInvitation {
  id: number
  email: string
  /** In words. */
  role: string
  invited_by: string
  expires_at: string
}

interface OpenInvitationsProps {
  invitations: readonly OpenInvitation[]
  withdraw(id: number): Promise<unknown>
}

export const OpenInvitations = ({ invitations, withdraw }: OpenInvitationsProps) => (
  <Section title="Open invitations" about="Links that were not used.">
    <ScrollTable label="Open invitations" head={['E-mail', 'Role', 'Invited by', 'Ends', 'Access']} miw={640}>
      {invitations.map(({ id, email, role, invited_by, expires_at }) => (
        <Table.Tr key={id}>
          <Table.Td>{email}</Table.Td>
          <Table.Td>{role}</Table.Td>
          <Table.Td>{invited_by}</Table.Td>
          <Table.Td>
            <Time at={expires_at} />
          </Table.Td>
          <Table.Td>
            <Withdraw email={email} withdraw={() => withdraw(id)} />
          </Table.Td>
        </Table.Tr>
      ))}
    </ScrollTable>
  </Section>
)

function Withdraw({ email, withdraw }: { email: string; withdraw(): Promise<unknown> }) {
  const [asking, setAsking] = useState(false)
  const name = `Withdraw the invitation of ${email}`
  return (
    <>
      <Button size="xs" variant="default" aria-label={name} onClick={() => setAsking(true)}>
        Withdraw
      </Button>
      <ConfirmDialog
        opened={asking}
        close={() => setAsking(false)}
        title={`${name}?`}
        action="Withdraw"
        confirm={() => attempt('The link no longer works.', withdraw)}
      >
        The link that they have stops working at once. You can make a new one.
      </ConfirmDialog>
    </>
  )
}
