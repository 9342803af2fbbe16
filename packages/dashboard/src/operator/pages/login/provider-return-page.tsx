import { Anchor, Stack, Text } from '@mantine/core'
import { Link, useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useApi } from '../../api/use-api.ts'
import { dashboardPath } from './login-page.tsx'
import { pageAfterProvider } from './provider.ts'
import { SignInFrame, sentence } from './sign-in-frame.tsx'

/** Ends a sign-in with the identity provider, which has sent the browser here. */
export function ProviderReturnPage() {
  const { session } = useApi()
  const router = useRouter()
  const [problem, setProblem] = useState<string>()
  const begun = useRef(false)

  useEffect(() => {
    // The answer works once, and in development effects run twice.
    if (begun.current) return
    begun.current = true
    const parameters = location.search.slice(1)
    // The address must not stay in the history: it names the answer.
    history.replaceState(history.state, '', location.pathname)
    const finish = async (): Promise<void> => {
      try {
        await session.step('finishProviderLogin', { body: { parameters } })
        const asked = dashboardPath(pageAfterProvider())
        if (asked === undefined) await router.navigate({ to: '/', replace: true })
        else router.history.replace(asked)
      } catch (error) {
        setProblem(sentence(error instanceof Error ? error.message : String(error)))
      }
    }
    void finish()
  }, [session, router])

  return (
    <SignInFrame title="Sign in to Inkling" problem={problem}>
      <Stack>
        {problem === undefined && <Text role="status">Signing in…</Text>}
        <Anchor renderRoot={(props) => <Link {...props} to="/login" />}>Sign in another way</Anchor>
      </Stack>
    </SignInFrame>
  )
}
