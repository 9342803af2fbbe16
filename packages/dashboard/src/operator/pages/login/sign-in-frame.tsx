import { Alert, Center, Group, Paper, Stack, Title } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import { ApiError } from '../../api/request.ts'
import { Icon } from '../../parts/icon.tsx'
import { ColorSchemeMenu } from '../../shell/color-scheme-menu.tsx'

interface SignInFrameProps {
  title: string
  problem?: string | undefined
  children: ReactNode
}

/** The page around each step of a sign-in. */
export function SignInFrame({ title, problem, children }: SignInFrameProps) {
  useEffect(() => {
    document.title = `${title} · Inkling`
  }, [title])
  return (
    <Center mih="100dvh" p="md" component="main">
      <Stack w="100%" maw={380}>
        <Group justify="space-between" wrap="nowrap">
          <Group gap="xs" wrap="nowrap">
            <img src="inkling.svg" width={28} height={28} alt="" />
            <Title order={1} size="h3">
              {title}
            </Title>
          </Group>
          <ColorSchemeMenu />
        </Group>
        {problem && (
          <Alert color="red" icon={<Icon name="alert" />} role="alert">
            {problem}
          </Alert>
        )}
        <Paper withBorder p="lg">
          {children}
        </Paper>
      </Stack>
    </Center>
  )
}

/** Why a step failed, as a sentence. */
export function problemText(error: unknown, unauthorised: string): string {
  if (!(error instanceof ApiError)) return error instanceof Error ? error.message : String(error)
  if (error.status === 401) return unauthorised
  if (error.status === 429) return 'Too many attempts. Wait a minute, then try again.'
  if (error.status === 503 && error.message === 'server is busy')
    return 'The server is busy. Try again in a moment.'
  return sentence(error.message.replace(/^password: /, ''))
}

/** The server's texts begin in lower case, as they do in a log. */
export const sentence = (text: string): string =>
  text === '' ? '' : `${text[0]?.toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`
