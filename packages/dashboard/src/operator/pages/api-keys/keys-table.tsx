import type { Band } from '@inkling/contract'
import type { ApiKey, MadeApiKey } from '@inkling/contract/account'
import { Button, Group, Table, Text } from '@mantine/core'
import { useState } from 'react'
import { useMay } from '../../api/rights.ts'
import { useApiMutation } from '../../api/use-api.ts'
import { StatusBadge, Tag } from '../../parts/badges.tsx'
import { ConfirmDialog } from '../../parts/dialogs.tsx'
import { attempt } from '../../parts/feedback.tsx'
import { Time } from '../../parts/format.tsx'
import { ScrollTable } from '../../parts/layout.tsx'
import { type KeyState, keyStates } from './key-states.ts'
import { RotateKey } from './rotate-key.tsx'

interface KeysTableProps {
  domain: string
  keys: readonly ApiKey[]
  show(made: MadeApiKey): void
}

export function KeysTable({ domain, keys, show }: KeysTableProps) {
  const mayChange = useMay('settings:write')
  const head = ['Key', 'May', 'State', 'Last use', 'Until', 'Made', ...(mayChange ? ['Change'] : [])]
  return (
    <ScrollTable label="API keys" head={head} miw={900} withTableBorder>
      {keys.map((key) => (
        <Table.Tr key={key.id}>
          <Table.Td miw={140}>
            {key.name}
            <Text size="xs" className="dim">
              <code>…{key.tail}</code>, ID <code>{key.id}</code>
            </Text>
          </Table.Td>
          <Table.Td miw={150}>
            <Group gap={4}>
              {key.scopes.map((scope) => (
                <Tag key={scope}>{scope}</Tag>
              ))}
            </Group>
          </Table.Td>
          <Table.Td miw={130}>
            <States apiKey={key} />
          </Table.Td>
          <Table.Td miw={110}>{key.used_at === null ? 'never' : <Time at={key.used_at} />}</Table.Td>
          <Table.Td miw={110}>{key.expires_at === null ? 'no end' : <Time at={key.expires_at} />}</Table.Td>
          <Table.Td miw={130}>
            <Time at={key.created_at} />
            <Text size="xs" className="dim">
              by {key.created_by}
            </Text>
          </Table.Td>
          {mayChange && (
            <Table.Td miw={190}>
              <Group gap="xs" wrap="nowrap">
                <RotateKey domain={domain} apiKey={key} show={show} />
                <RevokeKey domain={domain} apiKey={key} />
              </Group>
            </Table.Td>
          )}
        </Table.Tr>
      ))}
    </ScrollTable>
  )
}

const STATES: Record<KeyState, { tone: Band; text: string }> = {
  expired: { tone: 'dangerous', text: 'expired' },
  expires_soon: { tone: 'suspicious', text: 'expires soon' },
  never_used: { tone: 'rate_limited', text: 'never used' },
  idle: { tone: 'rate_limited', text: 'not used for a month' },
  in_use: { tone: 'trusted', text: 'in use' },
}

function States({ apiKey }: { apiKey: ApiKey }) {
  return (
    <>
      <Group gap={4}>
        {keyStates(apiKey, Date.now()).map((state) => (
          <StatusBadge key={state} tone={STATES[state].tone}>
            {STATES[state].text}
          </StatusBadge>
        ))}
      </Group>
      {apiKey.previous_until && (
        <Text size="xs" className="dim">
          old key until <Time at={apiKey.previous_until} />
        </Text>
      )}
    </>
  )
}

function RevokeKey({ domain, apiKey: { id, name } }: { domain: string; apiKey: ApiKey }) {
  const [asking, setAsking] = useState(false)
  const revoke = useApiMutation('revokeApiKey', ['listApiKeys'])
  return (
    <>
      <Button size="xs" variant="default" aria-label={`Revoke ${name}`} onClick={() => setAsking(true)}>
        Revoke
      </Button>
      <ConfirmDialog
        opened={asking}
        close={() => setAsking(false)}
        title={`Revoke ${name}?`}
        action="Revoke"
        confirm={() =>
          attempt(`The key ${name} was revoked.`, () =>
            revoke.mutateAsync({ params: { domain, key_id: id } }),
          )
        }
      >
        Requests with it are rejected within a second, and it cannot be brought back.
      </ConfirmDialog>
    </>
  )
}
