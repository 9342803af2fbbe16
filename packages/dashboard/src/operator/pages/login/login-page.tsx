import {
  Alert,
  Button,
  Center,
  Group,
  Paper,
  PasswordInput,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core'
import { getRouteApi, useRouter } from '@tanstack/react-router'
import { type FormEvent, useEffect, useState } from 'react'
import { ApiError } from '../../api/request.ts'
import { useApi } from '../../api/use-api.ts'
import { Icon } from '../../parts/icon.tsx'
import { ColorSchemeMenu } from '../../shell/color-scheme-menu.tsx'

const route = getRouteApi('/login')

export function LoginPage() {
  const { session } = useApi()
  const router = useRouter()
  const { to } = route.useSearch()
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)

  useEffect(() => {
    document.title = 'Sign in · Inkling'
  }, [])

  async function signIn(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    setBusy(true)
    setProblem(undefined)
    try {
      await session.signIn(String(form.get('email')), String(form.get('password')))
      const asked = dashboardPath(to)
      if (asked === undefined) await router.navigate({ to: '/' })
      else router.history.push(asked)
    } catch (error) {
      setProblem(problemText(error))
    } finally {
      setBusy(false)
    }
  }

  return (
    <Center mih="100dvh" p="md" component="main">
      <Stack w="100%" maw={380}>
        <Group justify="space-between">
          <Group gap="xs">
            <img src="inkling.svg" width={28} height={28} alt="" />
            <Title order={1} size="h3">
              Sign in to Inkling
            </Title>
          </Group>
          <ColorSchemeMenu />
        </Group>
        {to !== undefined && !problem && (
          <Text size="sm" className="dim">
            Sign in to open the page that you asked for.
          </Text>
        )}
        {problem && (
          <Alert color="red" icon={<Icon name="alert" />} role="alert">
            {problem}
          </Alert>
        )}
        <Paper withBorder p="lg" component="form" onSubmit={(event) => void signIn(event)}>
          <Stack>
            <TextInput
              label="Email"
              name="email"
              type="text"
              inputMode="email"
              autoComplete="username"
              required
              autoFocus
            />
            <PasswordInput label="Password" name="password" autoComplete="current-password" required />
            <Button type="submit" loading={busy}>
              Sign in
            </Button>
          </Stack>
        </Paper>
      </Stack>
    </Center>
  )
}

/** Only a path on this server: an address in a link must not lead to another site. */
const dashboardPath = (to: string | undefined): string | undefined =>
  to?.startsWith('/') && !to.startsWith('//') && !to.includes('\\') ? to : undefined

function problemText(error: unknown): string {
  if (!(error instanceof ApiError)) throw error
  if (error.status === 401) return 'The email address or the password is wrong.'
  if (error.status === 429) return 'Too many attempts. Wait a minute, then try again.'
  if (error.status === 503) return 'The server is busy. Try again in a moment.'
  return error.message
}
