import type { AlertChannel, AlertRule } from '@inkling/contract/account'
import { Button, Group, Menu, Table, Text } from '@mantine/core'
import { useState } from 'react'
import { useMay } from '../../api/rights.ts'
import { useApiMutation, useApiQuery } from '../../api/use-api.ts'
import { StatusBadge } from '../../parts/badges.tsx'
import { ConfirmDialog } from '../../parts/dialogs.tsx'
import { attempt, Empty, Loaded } from '../../parts/feedback.tsx'
import { Time } from '../../parts/format.tsx'
import { Icon } from '../../parts/icon.tsx'
import { ScrollTable, Section } from '../../parts/layout.tsx'
import { RuleDialog } from './rule-dialog.tsx'
import { conditionText } from './rule-words.ts'

/** What alerts are about. */
export function RulesSection({ domain }: { domain: string }) {
  const mayChange = useMay('settings:write')
  const rules = useApiQuery('listAlertRules', { params: { domain } })
  const { data } = useApiQuery('listAlertChannels', { params: { domain } })
  const channels = data?.channels ?? []
  const [editing, setEditing] = useState<AlertRule | 'new'>()
  return (
    <Section title="Rules" about="Each rule sends the first event at once, and what follows as a summary.">
      <Loaded query={rules}>
        {(all) =>
          all.length === 0 ? (
            <Empty title="No rules yet">Nothing is watched until somebody adds a rule.</Empty>
          ) : (
            <ScrollTable label="Rules for alerts" head={['Rule', 'Watches', 'Sends to', 'State', '']}>
              {all.map((rule) => (
                <Table.Tr key={rule.id}>
                  <Table.Td miw={120}>{rule.name}</Table.Td>
                  <Table.Td miw={180}>{conditionText(rule.when)}</Table.Td>
                  <Table.Td miw={120}>{namesOf(rule, channels)}</Table.Td>
                  <Table.Td>
                    <State rule={rule} />
                  </Table.Td>
                  <Table.Td miw={210}>
                    {mayChange && <Controls domain={domain} rule={rule} edit={() => setEditing(rule)} />}
                  </Table.Td>
                </Table.Tr>
              ))}
            </ScrollTable>
          )
        }
      </Loaded>
      {mayChange && (
        <Button
          w="fit-content"
          leftSection={<Icon name="plus" size={16} />}
          onClick={() => setEditing('new')}
        >
          Add a rule
        </Button>
      )}
      {editing && (
        <RuleDialog
          domain={domain}
          rule={editing === 'new' ? undefined : editing}
          channels={channels}
          close={() => setEditing(undefined)}
        />
      )}
    </Section>
  )
}

function namesOf({ channels }: AlertRule, known: readonly AlertChannel[]): string {
  const names = channels.flatMap((id) => known.find((channel) => channel.id === id)?.name ?? [])
  return names.length === 0 ? 'this page only' : names.join(', ')
}

function State({ rule: { enabled, muted_until } }: { rule: AlertRule }) {
  if (!enabled) return <StatusBadge tone="rate_limited">off</StatusBadge>
  if (muted_until === null) return <StatusBadge tone="trusted">on</StatusBadge>
  return (
    <>
      <StatusBadge tone="suspicious">muted</StatusBadge>
      <Text size="xs" className="dim">
        until <Time at={muted_until} />
      </Text>
    </>
  )
}

const MUTES = [
  { hours: 1, label: 'For an hour' },
  { hours: 8, label: 'For 8 hours' },
  { hours: 24, label: 'For a day' },
  { hours: 168, label: 'For a week' },
] as const

const CHANGED = ['listAlertRules', 'listAlerts'] as const

interface ControlsProps {
  domain: string
  rule: AlertRule
  edit(): void
}

function Controls({ domain, rule, edit }: ControlsProps) {
  const params = { domain, alert_rule_id: rule.id }
  const [asks, setAsks] = useState(false)
  const change = useApiMutation('changeAlertRule', CHANGED)
  const mute = useApiMutation('muteAlertRule', CHANGED)
  const remove = useApiMutation('removeAlertRule', CHANGED)
  const silence = (hours: number) =>
    attempt(hours === 0 ? 'The rule sends again.' : 'The rule is muted.', () =>
      mute.mutateAsync({ params, body: { hours } }),
    )
  return (
    <Group gap="xs">
      <Button size="xs" variant="default" onClick={edit} aria-label={`Change ${rule.name}`}>
        Change
      </Button>
      {rule.muted_until === null ? (
        <Menu position="bottom-end">
          <Menu.Target>
            <Button size="xs" variant="default" aria-label={`Mute ${rule.name}`}>
              Mute
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {MUTES.map(({ hours, label }) => (
              <Menu.Item key={hours} onClick={() => void silence(hours)}>
                {label}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      ) : (
        <Button
          size="xs"
          variant="default"
          onClick={() => void silence(0)}
          aria-label={`Unmute ${rule.name}`}
        >
          Unmute
        </Button>
      )}
      <Button
        size="xs"
        variant="default"
        aria-label={`${rule.enabled ? 'Switch off' : 'Switch on'} ${rule.name}`}
        onClick={() =>
          void attempt(`The rule is ${rule.enabled ? 'off' : 'on'}.`, () =>
            change.mutateAsync({ params, body: { enabled: !rule.enabled } }),
          )
        }
      >
        {rule.enabled ? 'Switch off' : 'Switch on'}
      </Button>
      <Button size="xs" variant="default" onClick={() => setAsks(true)} aria-label={`Remove ${rule.name}`}>
        Remove
      </Button>
      <ConfirmDialog
        opened={asks}
        close={() => setAsks(false)}
        title={`Remove the rule ${rule.name}?`}
        action="Remove"
        confirm={() => attempt('The rule was removed.', () => remove.mutateAsync({ params }))}
      >
        Its alerts go with it. To keep them, switch it off.
      </ConfirmDialog>
    </Group>
  )
}
