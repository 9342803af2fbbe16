import { Alert, Button, Modal, PasswordInput, Stack, Text } from '@mantine/core'
import { useLocation } from '@tanstack/react-router'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { showPasskey } from '../api/passkeys.ts'
import { useApi, useApiQuery } from '../api/use-api.ts'
import { startProviderLogin } from '../pages/login/provider.ts'
import { problemText } from '../pages/login/sign-in-frame.tsx'
import { Icon } from '../parts/icon.tsx'

/** Asks who is at the browser before keys, exports, erasures and users are touched, if nobody has asked lately. */
export function ProofDialog() {
  const api = useApi()
  const [asking, setAsking] = useState(false)
  const answer = useRef<(proven: boolean) => void>(undefined)

  useEffect(
    () =>
      api.askForProofWith(() => {
        setAsking(true)
        return new Promise((resolve) => {
          answer.current = resolve
        })
      }),
    [api],
  )

  function close(proven: boolean): void {
    setAsking(false)
    answer.current?.(proven)
  }

  return (
    <Modal
      opened={asking}
      onClose={() => close(false)}
      title="Confirm who you are"
      centered
      // Above the dialog whose action asks for it.
      zIndex={400}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {asking && <ProofForm done={() => close(true)} />}
    </Modal>
  )
}

function ProofForm({ done }: { done(): void }) {
  const api = useApi()
  const { publicHref } = useLocation()
  const { data } = useApiQuery('getSecurity', {})
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)

  async function prove(run: () => Promise<unknown>): Promise<void> {
    setBusy(true)
    setProblem(undefined)
    try {
      await run()
      done()
    } catch (error) {
      setProblem(problemText(error, 'Your session has ended. Sign in again.'))
    } finally {
      setBusy(false)
    }
  }

  function withPassword(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const password = String(new FormData(event.currentTarget).get('password'))
    void prove(() => api.call('proveIdentity', { body: { password } }))
  }

  const withPasskey = () =>
    prove(async () => {
      const { login_token, options } = await api.call('startPasskeyProof', {})
      const passkey = await showPasskey(options)
      await api.call('proveIdentity', { body: { login_token, passkey } })
    })

  return (
    <Stack>
      <Text size="sm">You are asked again once five minutes have passed.</Text>
      {problem && (
        <Alert color="red" icon={<Icon name="alert" />} role="alert">
          {problem}
        </Alert>
      )}
      {data?.has_password && (
        <form onSubmit={withPassword}>
          <Stack>
            <PasswordInput
              label="Your password"
              name="password"
              autoComplete="current-password"
              required
              data-autofocus
            />
            <Button type="submit" loading={busy}>
              Confirm
            </Button>
          </Stack>
        </form>
      )}
      {data && data.passkeys.length > 0 && (
        <Button variant="default" disabled={busy} onClick={() => void withPasskey()}>
          Use a passkey
        </Button>
      )}
      {data && !data.has_password && (
        <Button
          variant="default"
          disabled={busy}
          onClick={() => void startProviderLogin(api.session, { to: publicHref, fresh: true })}
        >
          Sign in again with the identity provider
        </Button>
      )}
    </Stack>
  )
}
