import type { SecondFactorNeeded } from '@inkling/contract/account'
import { Button, Divider, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useRouter } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { showPasskey } from '../../api/passkeys.ts'
import { useApi } from '../../api/use-api.ts'
import { startProviderLogin } from './provider.ts'
import { SecondFactorForm } from './second-factor-form.tsx'
import { problemText, SignInFrame } from './sign-in-frame.tsx'

const route = getRouteApi('/login')

const WRONG_PASSWORD = 'The e-mail address or the password is wrong.'
const WRONG_PASSKEY = 'This passkey does not belong to anybody here. Try another way to sign in.'

export function LoginPage() {
  const { session } = useApi()
  const router = useRouter()
  const { to } = route.useSearch()
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const [needed, setNeeded] = useState<SecondFactorNeeded>()

  async function arrive(): Promise<void> {
    const asked = dashboardPath(to)
    if (asked === undefined) await router.navigate({ to: '/' })
    else router.history.push(asked)
  }

  async function run(step: () => Promise<void>, unauthorised: string): Promise<void> {
    setBusy(true)
    setProblem(undefined)
    try {
      await step()
    } catch (error) {
      setProblem(problemText(error, unauthorised))
    } finally {
      setBusy(false)
    }
  }

  function signIn(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const body = { email: String(form.get('email')), password: String(form.get('password')) }
    void run(async () => {
      const answer = await session.step('login', { body })
      if ('login_token' in answer) setNeeded(answer)
      else await arrive()
    }, WRONG_PASSWORD)
  }

  const withPasskey = () =>
    run(async () => {
      const { login_token, options } = await session.step('startPasskeyLogin', {})
      await session.step('passkeyLogin', { body: { login_token, passkey: await showPasskey(options) } })
      await arrive()
    }, WRONG_PASSKEY)

  const withProvider = () => run(() => startProviderLogin(session, { to }), '')

  if (needed)
    return (
      <SecondFactorForm
        needed={needed}
        arrive={arrive}
        again={() => {
          setNeeded(undefined)
        }}
      />
    )
  return (
    <SignInFrame title="Sign in to Inkling" problem={problem}>
      <Stack>
        {to !== undefined && !problem && (
          <Text size="sm" className="dim">
            Sign in to open the page that you asked for.
          </Text>
        )}
        <form onSubmit={signIn}>
          <Stack>
            <TextInput
              label="E-mail"
              name="email"
              type="text"
              inputMode="email"
              autoComplete="username webauthn"
              required
              autoFocus
            />
            <PasswordInput label="Password" name="password" autoComplete="current-password" required />
            <Button type="submit" loading={busy}>
              Sign in
            </Button>
          </Stack>
        </form>
        <Divider label="or" />
        <Button variant="default" disabled={busy} onClick={() => void withPasskey()}>
          Use a passkey
        </Button>
        <ProviderButton busy={busy} start={withProvider} />
      </Stack>
    </SignInFrame>
  )
}

function ProviderButton({ busy, start }: { busy: boolean; start(): Promise<void> }) {
  const { session } = useApi()
  const { data } = useQuery({
    queryKey: ['getSignInMethods'],
    queryFn: () => session.step('getSignInMethods', {}),
  })
  if (!data?.identity_provider) return null
  return (
    <Button variant="default" disabled={busy} onClick={() => void start()}>
      Continue with {data.identity_provider}
    </Button>
  )
}

/** Only a path on this server: an address in a link must not lead to another site. */
export const dashboardPath = (to: string | undefined): string | undefined =>
  to?.startsWith('/') && !to.startsWith('//') && !to.includes('\\') ? to : undefined
