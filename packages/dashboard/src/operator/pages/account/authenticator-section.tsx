import type { AuthenticatorSetup } from '@inkling/contract/account'
import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useApiMutation } from '../../api/use-api.ts'
import { ConfirmDialog } from '../../parts/dialogs.tsx'
import { attempt, ErrorAlert } from '../../parts/feedback.tsx'
import { Section } from '../../parts/layout.tsx'
import { QrCode } from './qr-code.tsx'

interface AuthenticatorSectionProps {
  inUse: boolean
  showCodes(codes: readonly string[]): void
}

export function AuthenticatorSection({ inUse, showCodes }: AuthenticatorSectionProps) {
  const [setup, setSetup] = useState<AuthenticatorSetup>()
  const start = useApiMutation('startAuthenticator', [])
  return (
    <Section
      title="Authenticator app"
      about="An app on your phone shows a code that is asked for after your password."
    >
      {inUse ? (
        <Remove />
      ) : (
        <Button
          variant="default"
          w="fit-content"
          loading={start.isPending}
          onClick={() => start.mutate({}, { onSuccess: setSetup })}
        >
          Set up an app
        </Button>
      )}
      {start.error && <ErrorAlert error={start.error} />}
      <Modal
        opened={setup !== undefined}
        onClose={() => setSetup(undefined)}
        title="Set up an authenticator app"
        centered
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        {setup && (
          <Confirm
            setup={setup}
            done={(codes) => {
              setSetup(undefined)
              showCodes(codes)
            }}
          />
        )}
      </Modal>
    </Section>
  )
}

interface ConfirmProps {
  setup: AuthenticatorSetup
  done(codes: readonly string[]): void
}

function Confirm({ setup: { secret, uri }, done }: ConfirmProps) {
  const confirm = useApiMutation('confirmAuthenticator', ['getSecurity'])
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const code = String(new FormData(event.currentTarget).get('code')).trim()
    confirm.mutate({ body: { code } }, { onSuccess: ({ recovery_codes }) => done(recovery_codes) })
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        {confirm.error && <ErrorAlert error={confirm.error} />}
        <Text size="sm">Scan the code with the app, or type the key into it.</Text>
        <Group justify="center">
          <QrCode text={uri} label="Code for the authenticator app" />
        </Group>
        <Text size="sm">
          Key: <code>{secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}</code>
        </Text>
        <TextInput
          label="Code"
          description="Six digits that the app shows now."
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          pattern="\s*\d{6}\s*"
          required
          data-autofocus
        />
        <Button type="submit" loading={confirm.isPending}>
          Use this app
        </Button>
      </Stack>
    </form>
  )
}

function Remove() {
  const [asking, setAsking] = useState(false)
  const remove = useApiMutation('removeAuthenticator', ['getSecurity'])
  return (
    <>
      <Group>
        <Text size="sm">An app is in use.</Text>
        <Button size="xs" variant="default" onClick={() => setAsking(true)}>
          Remove the app
        </Button>
      </Group>
      <ConfirmDialog
        opened={asking}
        close={() => setAsking(false)}
        title="Remove the authenticator app?"
        action="Remove"
        confirm={() => attempt('The app is no longer asked for.', () => remove.mutateAsync({}))}
      >
        Without a passkey, your password alone signs you in then.
      </ConfirmDialog>
    </>
  )
}
