import type { AlertChannel, AlertTest } from '@inkling/contract/account'
import { Alert, Button, Group, Table, Text } from '@mantine/core'
import { useState } from 'react'
import { useMay } from '../../api/rights.ts'
import { useApiMutation, useApiQuery } from '../../api/use-api.ts'
import { ConfirmDialog } from '../../parts/dialogs.tsx'
import { attempt, Empty, ErrorAlert, Loaded } from '../../parts/feedback.tsx'
import { Icon } from '../../parts/icon.tsx'
import { ScrollTable, Section } from '../../parts/layout.tsx'
import { ChannelDialog } from './channel-dialog.tsx'
import { KIND_LABELS } from './rule-words.ts'

/** Where alerts are sent. */
export function ChannelsSection({ domain }: { domain: string }) {
  const mayChange = useMay('settings:write')
  const query = useApiQuery('listAlertChannels', { params: { domain } })
  const [editing, setEditing] = useState<AlertChannel | 'new'>()
  const [tested, setTested] = useState<{ name: string; result: AlertTest }>()
  const test = useApiMutation('testAlertChannel', [])
  const sendTest = ({ id, name }: AlertChannel): void => {
    setTested(undefined)
    test.mutate(
      { params: { domain, channel_id: id } },
      { onSuccess: (result) => setTested({ name, result }) },
    )
  }
  return (
    <Section title="Channels" about="What you enter is stored encrypted, and never shown again.">
      <Loaded query={query}>
        {({ channels }) =>
          channels.length === 0 ? (
            <Empty title="No channels yet">Without a channel, alerts are only listed on this page.</Empty>
          ) : (
            <ScrollTable label="Channels" head={['Channel', 'Kind', 'Sends to', '']}>
              {channels.map((channel) => (
                <Table.Tr key={channel.id}>
                  <Table.Td miw={120}>{channel.name}</Table.Td>
                  <Table.Td>{KIND_LABELS[channel.kind]}</Table.Td>
                  <Table.Td miw={160} style={{ overflowWrap: 'anywhere' }}>
                    {channel.target}
                    {channel.signed && (
                      <Text span size="sm" className="dim">
                        {' '}
                        signed
                      </Text>
                    )}
                  </Table.Td>
                  <Table.Td miw={210}>
                    {mayChange && (
                      <Controls
                        domain={domain}
                        channel={channel}
                        edit={() => setEditing(channel)}
                        sendTest={() => sendTest(channel)}
                        isSending={test.isPending && test.variables.params.channel_id === channel.id}
                      />
                    )}
                  </Table.Td>
                </Table.Tr>
              ))}
            </ScrollTable>
          )
        }
      </Loaded>
      {test.error && <ErrorAlert error={test.error} />}
      {tested && <TestResult {...tested} />}
      {mayChange && (
        <Button
          w="fit-content"
          variant="default"
          leftSection={<Icon name="plus" size={16} />}
          onClick={() => setEditing('new')}
        >
          Add a channel
        </Button>
      )}
      {editing && (
        <ChannelDialog
          domain={domain}
          channel={editing === 'new' ? undefined : editing}
          canMail={query.data?.can_mail ?? false}
          close={() => setEditing(undefined)}
        />
      )}
    </Section>
  )
}

interface ControlsProps {
  domain: string
  channel: AlertChannel
  edit(): void
  sendTest(): void
  isSending: boolean
}

function Controls({ domain, channel: { id, name }, edit, sendTest, isSending }: ControlsProps) {
  const [asks, setAsks] = useState(false)
  const remove = useApiMutation('removeAlertChannel', ['listAlertChannels', 'listAlertRules', 'listAlerts'])
  return (
    <Group gap="xs">
      <Button size="xs" loading={isSending} onClick={sendTest} aria-label={`Send test to ${name}`}>
        Send test
      </Button>
      <Button size="xs" variant="default" onClick={edit} aria-label={`Change ${name}`}>
        Change
      </Button>
      <Button size="xs" variant="default" onClick={() => setAsks(true)} aria-label={`Remove ${name}`}>
        Remove
      </Button>
      <ConfirmDialog
        opened={asks}
        close={() => setAsks(false)}
        title={`Remove the channel ${name}?`}
        action="Remove"
        confirm={() =>
          attempt('The channel was removed.', () =>
            remove.mutateAsync({ params: { domain, channel_id: id } }),
          )
        }
      >
        Rules no longer send to it, and messages that wait for it are dropped.
      </ConfirmDialog>
    </Group>
  )
}

const TestResult = ({
  name,
  result: { delivered, answer, duration_ms },
}: {
  name: string
  result: AlertTest
}) => (
  <Alert
    role="status"
    color={delivered ? 'teal' : 'red'}
    icon={<Icon name={delivered ? 'check' : 'alert'} />}
    title={delivered ? `${name} accepted the test` : `The test of ${name} failed`}
  >
    {answer} after {duration_ms} ms
  </Alert>
)
