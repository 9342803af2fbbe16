import { type AssistantAsks, AssistantRequest, type AssistantScope } from '@inkling/contract/account'
import { Alert, Button, Checkbox, Group, Paper, Select, Stack, Text, Title } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useApiMutation, useApiQuery, useUser } from '../../api/use-api.ts'
import { attempt, Empty, Loaded } from '../../parts/feedback.tsx'
import { Facts, PageHead } from '../../parts/layout.tsx'
import { SCOPE_WORDS } from './scope-words.ts'

const route = getRouteApi('/signed-in/connect')

/** Where an assistant sends its user, who lets it in or does not. */
export function ConnectPage() {
  const request = AssistantRequest.safeParse(route.useSearch())
  return (
    <>
      <PageHead />
      {request.success ? (
        <Asked request={request.data} />
      ) : (
        <Empty title="No assistant asks for anything">
          Add the URL of the MCP server, which My account shows, to an assistant. It then opens this page.
        </Empty>
      )}
    </>
  )
}

function Asked({ request }: { request: AssistantRequest }) {
  const query = useApiQuery('readAssistantRequest', { body: request })
  return <Loaded query={query}>{(asks) => <Consent request={request} asks={asks} />}</Loaded>
}

interface ConsentProps {
  request: AssistantRequest
  asks: AssistantAsks
}

function Consent({ request, asks }: ConsentProps) {
  const user = useUser()
  const domains = useApiQuery('listDomains', {})
  const answer = useApiMutation('answerAssistant', ['listAssistants'])
  const [domain, setDomain] = useState<string | null>(null)
  const [scopes, setScopes] = useState<string[]>([...asks.scopes])
  const [isGone, setGone] = useState(false)
  const names = (domains.data ?? [])
    .filter(({ rights }) => rights.includes('visits:read'))
    .map((one) => one.domain)
  const chosen = domain ?? (names.length === 1 ? (names[0] ?? null) : null)
  const allowed = asks.scopes.filter((scope) => scopes.includes(scope))

  async function send(allow: { domain: string; scopes: AssistantScope[] } | null): Promise<void> {
    const way = await attempt(allow ? 'The assistant is connected.' : 'The assistant was refused.', () =>
      answer.mutateAsync({ body: { request, allow } }),
    )
    if (!way) return
    setGone(true)
    window.location.assign(way.redirect_to)
  }

  if (isGone)
    return (
      <Empty title="Back to the assistant">You can close this page once the assistant has answered.</Empty>
    )
  return (
    <Paper withBorder p="md" component="section" aria-label="Consent" maw={620}>
      <Stack>
        <Title order={2} size="h4">
          “{asks.name}” wants to act for you
        </Title>
        <Facts
          facts={[
            { name: 'You', value: `${user?.email}, ${user?.role}` },
            {
              name: 'Answer goes to',
              value: asks.on_this_machine ? `a program on this machine (${asks.sent_to})` : asks.sent_to,
            },
          ]}
        />
        <Alert color="yellow" variant="light" title="Did you start this?">
          The name is what the assistant calls itself; nobody checked it. Allow it only if you have just added
          Inkling to an assistant that you trust: it will see what visitors send, with your rights.
        </Alert>
        <Select
          label="Domain"
          description="The only one that it may use."
          data={names}
          value={chosen}
          onChange={setDomain}
          searchable
          allowDeselect={false}
          required
        />
        <Checkbox.Group label="What it may do" value={scopes} onChange={setScopes}>
          <Stack gap="xs" mt={6}>
            {asks.scopes.map((scope) => (
              <Checkbox
                key={scope}
                value={scope}
                label={SCOPE_WORDS[scope].title}
                description={SCOPE_WORDS[scope].about}
              />
            ))}
          </Stack>
        </Checkbox.Group>
        <Text size="sm" className="dim">
          It stays connected for half a year at most. It is disconnected sooner if it is not used for 30 days,
          or when you do so under My account.
        </Text>
        <Group>
          <Button
            loading={answer.isPending}
            disabled={chosen === null || allowed.length === 0}
            onClick={() => chosen !== null && void send({ domain: chosen, scopes: allowed })}
          >
            Allow
          </Button>
          <Button variant="default" disabled={answer.isPending} onClick={() => void send(null)}>
            Refuse
          </Button>
        </Group>
      </Stack>
    </Paper>
  )
}
