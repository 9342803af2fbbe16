import type { SecondFactorNeeded } from '@inkling/contract/account'
import { Anchor, Button, Divider, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { showPasskey } from '../../api/passkeys.ts'
import { ApiError } from '../../api/request.ts'
import { useApi } from '../../api/use-api.ts'
import { problemText, SignInFrame } from './sign-in-frame.tsx'

interface SecondFactorFormProps {
  needed: SecondFactorNeeded
  arrive(): Promise<void>
  /** Back to the password. */
  again(): void
}

const WRONG = 'The code is wrong or was used already. Wait for the next one, then try again.'

/** The second step: a code or a passkey. */
export function SecondFactorForm({ needed, arrive, again }: SecondFactorFormProps) {
  const { session } = useApi()
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const { login_token, passkey_options: options } = needed

  async function finish(factor: () => Promise<object>): Promise<void> {
    setBusy(true)
    setProblem(undefined)
    try {
      await session.step('loginSecondFactor', { body: { login_token, ...(await factor()) } })
      await arrive()
    } catch (error) {
      const ended = error instanceof ApiError && error.message.includes('begin again')
      setProblem(ended ? 'This took too long. Begin again.' : problemText(error, WRONG))
    } finally {
      setBusy(false)
    }
  }

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const code = String(new FormData(event.currentTarget).get('code')).trim()
    void finish(() => Promise.resolve({ code }))
  }

  return (
    <SignInFrame title="Second step" problem={problem}>
      <Stack>
        {options && (
          <>
            <Button
              loading={busy}
              onClick={() => void finish(async () => ({ passkey: await showPasskey(options) }))}
            >
              Use a passkey
            </Button>
            <Divider label="or" />
          </>
        )}
        <form onSubmit={submit}>
          <Stack>
            <TextInput
              label="Code"
              description="Six digits of your authenticator app, or a recovery code."
              name="code"
              autoComplete="one-time-code"
              spellCheck={false}
              minLength={6}
              maxLength={40}
              required
              autoFocus={!options}
            />
            <Button type="submit" loading={busy} variant={options ? 'default' : 'filled'}>
              Continue
            </Button>
          </Stack>
        </form>
        <Text size="sm">
          <Anchor component="button" type="button" onClick={again}>
            Begin again
          </Anchor>
        </Text>
      </Stack>
    </SignInFrame>
  )
}
