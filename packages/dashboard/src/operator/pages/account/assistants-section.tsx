import type { ConnectedAssistant } from '@inkling/contract/account'
import { Button, Group, Table, Text } from '@mantine/core'
import { useState } from 'react'
import { useApiMutation, useApiQuery } from '../../api/use-api.ts'
import { CopyIcon } from '../../parts/code.tsx'
import { ConfirmDialog } from '../../parts/dialogs.tsx'
import { attempt, Loaded } from '../../parts/feedback.tsx'
import { Time } from '../../parts/format.tsx'
import { ScrollTable, Section } from '../../parts/layout.tsx'
import { SCOPE_WORDS } from '../connect/scope-words.ts'

const HEAD = ['Assistant', 'Domain', 'May', 'Connected', 'Last used', 'Access']

/** AI assistants that act for the user, and where one is connected. */
export function AssistantsSection() {
  const query = useApiQuery('listAssistants', {})
  return (
    <Section
      title="Assistants"
      about="AI assistants that you let act for you. To connect one, add this address to it as an MCP server."
    >
      <Loaded query={query}>
        {({ url, data }) => (
          <>
            <Group gap={4} wrap="nowrap">
              <code>{url}</code>
              <CopyIcon value={url} what="the URL of the MCP server" />
            </Group>
            {data.length === 0 ? (
              <Text size="sm" className="dim">
                None is connected.
              </Text>
            ) : (
              <ScrollTable label="Assistants" head={HEAD} miw={720}>
                {data.map((assistant) => (
                  <Row key={assistant.id} assistant={assistant} />
                ))}
              </ScrollTable>
            )}
          </>
        )}
      </Loaded>
    </Section>
  )
}

const Row = ({ assistant }: { assistant: ConnectedAssistant }) => (
  <Table.Tr>
    <Table.Td>{assistant.name}</Table.Td>
    <Table.Td>{assistant.domain}</Table.Td>
    <Table.Td>{assistant.scopes.map((scope) => SCOPE_WORDS[scope].title.toLowerCase()).join(', ')}</Table.Td>
    <Table.Td>
      <Time at={assistant.connected_at} />
    </Table.Td>
    <Table.Td>{assistant.used_at === null ? 'never' : <Time at={assistant.used_at} />}</Table.Td>
    <Table.Td>
      <Disconnect assistant={assistant} />
    </Table.Td>
  </Table.Tr>
)

function Disconnect({ assistant: { id, name } }: { assistant: ConnectedAssistant }) {
  const [asking, setAsking] = useState(false)
  const disconnect = useApiMutation('disconnectAssistant', ['listAssistants'])
  return (
    <>
      <Button size="xs" variant="default" aria-label={`Disconnect ${name}`} onClick={() => setAsking(true)}>
        Disconnect
      </Button>
      <ConfirmDialog
        opened={asking}
        close={() => setAsking(false)}
        title={`Disconnect ${name}?`}
        action="Disconnect"
        confirm={() =>
          attempt('The assistant is disconnected.', () =>
            disconnect.mutateAsync({ params: { assistant_id: id } }),
          )
        }
      >
        Its tokens end at once. What it proposed still waits for a person, for a day at most.
      </ConfirmDialog>
    </>
  )
}
