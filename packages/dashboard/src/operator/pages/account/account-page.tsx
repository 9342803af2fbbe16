import type { OwnSession } from '@inkling/contract/account'
import { Button, Group, Stack, Table } from '@mantine/core'
import { useState } from 'react'
import { useApiMutation, useApiQuery, useUser } from '../../api/use-api.ts'
import { Tag } from '../../parts/badges.tsx'
import { attempt, Loaded } from '../../parts/feedback.tsx'
import { Time } from '../../parts/format.tsx'
import { PageHead, ScrollTable, Section } from '../../parts/layout.tsx'
import { AssistantsSection } from './assistants-section.tsx'
import { AuthenticatorSection } from './authenticator-section.tsx'
import { PasskeysSection } from './passkeys-section.tsx'
import { PasswordSection } from './password-section.tsx'
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx'
import { RecoveryCodesSection } from './recovery-codes-section.tsx'

/** How the signed-in user signs in, and where. */
export function AccountPage() {
  const user = useUser()
  const query = useApiQuery('getSecurity', {})
  const [codes, setCodes] = useState<readonly string[]>([])
  return (
    <>
      <PageHead about={`You are signed in as ${user?.email}, ${user?.role}.`} />
      <Loaded query={query}>
        {(security) => (
          <Stack>
            {security.has_password && <PasswordSection />}
            <AuthenticatorSection inUse={security.authenticator_app} showCodes={setCodes} />
            <PasskeysSection passkeys={security.passkeys} showCodes={setCodes} />
            {(security.authenticator_app || security.passkeys.length > 0) && (
              <RecoveryCodesSection left={security.recovery_codes_left} showCodes={setCodes} />
            )}
            <AssistantsSection />
            <Sessions sessions={security.sessions} />
          </Stack>
        )}
      </Loaded>
      <RecoveryCodesDialog codes={codes} close={() => setCodes([])} />
    </>
  )
}

const Sessions = ({ sessions }: { sessions: readonly OwnSession[] }) => (
  <Section title="Sessions" about="Where you are signed in. A session ends a week after its last use.">
    <ScrollTable label="Sessions" head={['Browser', 'Signed in', 'Last used', 'Access']} miw={640}>
      {sessions.map((session) => (
        <Table.Tr key={session.id}>
          <Table.Td>
            <Group gap="xs">
              {browserName(session.browser)}
              {session.current && <Tag>This browser</Tag>}
            </Group>
          </Table.Td>
          <Table.Td>
            <Time at={session.created_at} />
          </Table.Td>
          <Table.Td>
            <Time at={session.used_at} />
          </Table.Td>
          <Table.Td>{!session.current && <EndSession session={session} />}</Table.Td>
        </Table.Tr>
      ))}
    </ScrollTable>
  </Section>
)

function EndSession({ session: { id, browser } }: { session: OwnSession }) {
  const end = useApiMutation('endOwnSession', ['getSecurity'])
  return (
    <Button
      size="xs"
      variant="default"
      aria-label={`Sign out ${browserName(browser)}`}
      loading={end.isPending}
      onClick={() =>
        void attempt('The session has ended.', () => end.mutateAsync({ params: { session_id: id } }))
      }
    >
      Sign out
    </Button>
  )
}

const BROWSERS = [
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const
const SYSTEMS = [
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'macOS'],
  ['Linux', 'Linux'],
] as const

/** Only a hint for the user, who knows where they signed in. */
function browserName(userAgent: string): string {
  const found = (names: readonly (readonly [string, string])[]) =>
    names.find(([mark]) => userAgent.includes(mark))?.[1]
  const parts = [found(BROWSERS), found(SYSTEMS)].filter((part) => part !== undefined)
  return parts.length > 0 ? parts.join(' on ') : 'Unknown browser'
}
