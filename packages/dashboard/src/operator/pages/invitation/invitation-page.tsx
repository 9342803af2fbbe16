import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from '@inkling/contract/account'
import { Anchor, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useApi } from '../../api/use-api.ts'
import { Loading } from '../../parts/feedback.tsx'
import { problemText, SignInFrame, sentence } from '../login/sign-in-frame.tsx'

/** Lets an invited person choose a password. The token is behind `#`, so that it is in no log. */
export function InvitationPage() {
  const { session } = useApi()
  const [token] = useState(() => location.hash.slice(1))
  const { data, error } = useQuery({
    queryKey: ['openInvitation', token],
    queryFn: () => session.step('openInvitation', { body: { token } }),
    retry: false,
  })
  const title = data?.known ? 'Choose a new password' : 'Join Inkling'
  if (error)
    return (
      <SignInFrame title="Invitation" problem={sentence(error.message)}>
        <Stack>
          <Text size="sm">Ask an owner for a new link.</Text>
          <Anchor renderRoot={(props) => <Link {...props} to="/login" />}>Sign in</Anchor>
        </Stack>
      </SignInFrame>
    )
  if (!data)
    return (
      <SignInFrame title="Invitation">
        <Loading />
      </SignInFrame>
    )
  return <ChoosePassword title={title} token={token} email={data.email} />
}

interface ChoosePasswordProps {
  title: string
  token: string
  email: string
}

function ChoosePassword({ title, token, email }: ChoosePasswordProps) {
  const { session } = useApi()
  const navigate = useNavigate()
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    const password = String(new FormData(event.currentTarget).get('password'))
    setBusy(true)
    setProblem(undefined)
    try {
      await session.step('acceptInvitation', { body: { token, password } })
      await navigate({ to: '/login', replace: true })
    } catch (error) {
      setProblem(problemText(error, ''))
    } finally {
      setBusy(false)
    }
  }

  return (
    <SignInFrame title={title} problem={problem}>
      <form onSubmit={(event) => void submit(event)}>
        <Stack>
          <TextInput label="E-mail" name="email" value={email} readOnly autoComplete="username" />
          <PasswordInput
            label="Password"
            description={`At least ${PASSWORD_LENGTH_MIN} characters, and not a common password.`}
            name="password"
            autoComplete="new-password"
            minLength={PASSWORD_LENGTH_MIN}
            maxLength={PASSWORD_LENGTH_MAX}
            required
            autoFocus
          />
          <Button type="submit" loading={busy}>
            Set the password
          </Button>
        </Stack>
      </form>
    </SignInFrame>
  )
}
