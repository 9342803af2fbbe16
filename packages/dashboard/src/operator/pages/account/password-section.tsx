import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from '@inkling/contract/account'
import { Alert, Button, PasswordInput, Stack } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { FormEvent } from 'react'
import { useApiMutation, useUser } from '../../api/use-api.ts'
import { Icon } from '../../parts/icon.tsx'
import { Section } from '../../parts/layout.tsx'
import { sentence } from '../login/sign-in-frame.tsx'

export function PasswordSection() {
  const user = useUser()
  const change = useApiMutation('changeOwnPassword', ['getSecurity'])

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const { currentTarget } = event
    const form = new FormData(currentTarget)
    const body = { old_password: String(form.get('old')), new_password: String(form.get('new')) }
    change.mutate(
      { body },
      {
        onSuccess() {
          currentTarget.reset()
          notifications.show({ message: 'Your password was changed.', color: 'teal' })
        },
      },
    )
  }

  return (
    <Section title="Password" about="A new password signs you out everywhere else.">
      <form onSubmit={submit}>
        <Stack maw={380}>
          {change.error && (
            <Alert color="red" icon={<Icon name="alert" />} role="alert">
              {sentence(change.error.message.replace(/^new_password: /, ''))}
            </Alert>
          )}
          <input type="hidden" name="email" value={user?.email} autoComplete="username" />
          <PasswordInput label="Current password" name="old" autoComplete="current-password" required />
          <PasswordInput
            label="New password"
            description={`At least ${PASSWORD_LENGTH_MIN} characters, and not a common password.`}
            name="new"
            autoComplete="new-password"
            minLength={PASSWORD_LENGTH_MIN}
            maxLength={PASSWORD_LENGTH_MAX}
            required
          />
          <Button type="submit" variant="default" w="fit-content" loading={change.isPending}>
            Change the password
          </Button>
        </Stack>
      </form>
    </Section>
  )
}
