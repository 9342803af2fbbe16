import type { NewInvitation } from '@inkling/contract/account'
import { SecretsDialog } from './dialogs.tsx'

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
