import type { EndpointAttempt, RotatedSecret, WebhookEndpoint } from '@inkling/contract/account'
import { Alert, Button, Group, SegmentedControl, Stack, Switch, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useState } from 'react'
import { useMay } from '../../api/rights.ts'
import { useApi, useApiMutation, usePages } from '../../api/use-api.ts'
import { StatusBadge } from '../../parts/badges.tsx'
import { DeliveryList } from '../../parts/delivery-list.tsx'
import { ConfirmDialog, SecretsDialog } from '../../parts/dialogs.tsx'
import { attempt, Empty, ErrorAlert, LoadedPages } from '../../parts/feedback.tsx'
import { Time } from '../../parts/format.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Section } from '../../parts/layout.tsx'

interface EndpointCardProps {
  domain: string
  endpoint: WebhookEndpoint
}

const STATES = {
  verified: { label: 'verified', tone: 'trusted' },
  unverified: { label: 'not verified', tone: 'rate_limited' },
  failed: { label: 'last ping failed', tone: 'dangerous' },
} as const

export function EndpointCard({ domain, endpoint }: EndpointCardProps) {
  const mayChange = useMay('settings:write')
  const maySee = useMay('visits:read')
  const [logShown, { toggle }] = useDisclosure()
  const { label, tone } = STATES[endpoint.state]
  return (
    <Section title={endpoint.url}>
      <Group gap="xs">
        <StatusBadge tone={tone}>{label}</StatusBadge>
        {!endpoint.enabled && <StatusBadge tone="rate_limited">disabled</StatusBadge>}
        <Text size="sm" className="dim">
          endpoint {endpoint.id}, secret …{endpoint.secret_tail}
        </Text>
      </Group>
      <Failures endpoint={endpoint} />
      {mayChange && <EndpointControls domain={domain} endpoint={endpoint} />}
      {maySee && (
        <Button
          size="xs"
          variant="default"
          w="fit-content"
          aria-expanded={logShown}
          rightSection={<Icon name="down" size={14} />}
          onClick={toggle}
        >
          Delivery log
        </Button>
      )}
      {logShown && <DeliveryLog domain={domain} endpointId={endpoint.id} />}
    </Section>
  )
}

/** Says that sends fail, and that the server has disabled the endpoint for that. */
function Failures({ endpoint: { failing_since, disabled_at } }: Pick<EndpointCardProps, 'endpoint'>) {
  if (disabled_at !== null)
    return (
      <Alert color="red" role="status" icon={<Icon name="alert" />} title="Disabled after days of failures">
        No send was accepted
        {failing_since && (
          <>
            {' '}
            since <Time at={failing_since} />
          </>
        )}
        , so the server stopped at <Time at={disabled_at} />. Repair the receiver, then switch “Send events”
        on. The verdicts of that time are in History.
      </Alert>
    )
  if (failing_since === null) return null
  return (
    <Alert color="orange" role="status" icon={<Icon name="alert" />} title="Sends fail">
      No send was accepted since <Time at={failing_since} />. The delivery log says why.
    </Alert>
  )
}

interface EndpointControlsProps {
  domain: string
  endpoint: WebhookEndpoint
}

const CHANGED = ['listEndpoints', 'listDeliveries', 'listDomains'] as const

/** What can be done with an endpoint. */
function EndpointControls({ domain, endpoint }: EndpointControlsProps) {
  const { id, url, enabled, pattern_events, decision_events, device_events } = endpoint
  const params = { domain, endpoint_id: id }
  const [asking, setAsking] = useState<'rotate' | 'remove'>()
  const [rotated, setRotated] = useState<RotatedSecret>()
  const [sent, setSent] = useState<{ what: string; result: EndpointAttempt }>()
  const ping = useApiMutation('pingEndpoint', CHANGED)
  const test = useApiMutation('testEndpoint', CHANGED)
  const change = useApiMutation('changeEndpoint', CHANGED)
  const rotate = useApiMutation('rotateSecret', CHANGED)
  const remove = useApiMutation('removeEndpoint', CHANGED)
  const error = ping.error ?? test.error
  return (
    <>
      <Group gap="sm">
        <Switch
          label="Send events"
          checked={enabled}
          onChange={() =>
            void attempt(`Events are ${enabled ? 'no longer' : 'now'} sent to this endpoint.`, () =>
              change.mutateAsync({ params, body: { enabled: !enabled } }),
            )
          }
        />
        <Switch
          label="Include pattern events"
          checked={pattern_events}
          onChange={() =>
            void attempt(
              `Pattern events are ${pattern_events ? 'no longer' : 'now'} sent to this endpoint.`,
              () => change.mutateAsync({ params, body: { pattern_events: !pattern_events } }),
            )
          }
        />
        <Switch
          label="Include changed decisions"
          checked={decision_events}
          onChange={() =>
            void attempt(
              `Changed decisions are ${decision_events ? 'no longer' : 'now'} sent to this endpoint.`,
              () => change.mutateAsync({ params, body: { decision_events: !decision_events } }),
            )
          }
        />
        <Switch
          label="Include merged and split devices"
          checked={device_events}
          onChange={() =>
            void attempt(
              `Merged and split devices are ${device_events ? 'no longer' : 'now'} sent to this endpoint.`,
              () => change.mutateAsync({ params, body: { device_events: !device_events } }),
            )
          }
        />
      </Group>
      <Group gap="sm">
        <Button
          size="xs"
          loading={ping.isPending}
          onClick={() =>
            ping.mutate({ params }, { onSuccess: (result) => setSent({ what: 'Ping', result }) })
          }
        >
          Verify
        </Button>
        <Button
          size="xs"
          variant="default"
          loading={test.isPending}
          onClick={() =>
            test.mutate({ params }, { onSuccess: (result) => setSent({ what: 'Test event', result }) })
          }
        >
          Send test event
        </Button>
        <Button size="xs" variant="default" onClick={() => setAsking('rotate')}>
          Rotate secret
        </Button>
        <Button size="xs" variant="default" onClick={() => setAsking('remove')}>
          Remove
        </Button>
      </Group>
      {error && <ErrorAlert error={error} />}
      {sent && <AttemptResult {...sent} />}
      <ConfirmDialog
        opened={asking === 'rotate'}
        close={() => setAsking(undefined)}
        title="Rotate the signing secret?"
        action="Rotate"
        confirm={async () =>
          setRotated(await attempt('The secret was rotated.', () => rotate.mutateAsync({ params })))
        }
      >
        Events are signed with the new secret within a second. Update your receiver at {url}, which should
        accept both secrets.
      </ConfirmDialog>
      <ConfirmDialog
        opened={asking === 'remove'}
        close={() => setAsking(undefined)}
        title="Remove the endpoint?"
        action="Remove"
        confirm={() => attempt('The endpoint was removed.', () => remove.mutateAsync({ params }))}
      >
        Events queued for {url} will not be sent.
      </ConfirmDialog>
      <SecretsDialog
        title="New signing secret"
        about={`It replaces ${rotated?.replaced ?? ''}. Copy it now: it is not shown again.`}
        secrets={rotated && [{ name: url, value: rotated.secret }]}
        close={() => setRotated(undefined)}
      />
    </>
  )
}

interface AttemptResultProps {
  what: string
  result: EndpointAttempt
}

/** The outcome of a ping or a test event. */
function AttemptResult({ what, result: { state, status, duration_ms, error } }: AttemptResultProps) {
  const worked = state === 'verified'
  return (
    <Alert
      role="status"
      color={worked ? 'teal' : 'red'}
      icon={<Icon name={worked ? 'check' : 'alert'} />}
      title={worked ? `${what} accepted` : `${what} failed`}
    >
      {status === null ? (error ?? 'No response') : `HTTP ${status}`} after {duration_ms} ms
    </Alert>
  )
}

interface DeliveryLogProps {
  domain: string
  endpointId: number
}

function DeliveryLog({ domain, endpointId }: DeliveryLogProps) {
  const api = useApi()
  const params = { domain, endpoint_id: endpointId }
  const [outcome, setOutcome] = useState<'all' | 'failed'>('all')
  const pages = usePages(['listDeliveries', params, outcome], (paging, signal) =>
    api.call('listDeliveries', { params, query: { outcome, ...paging } }, signal),
  )
  return (
    <Stack gap="sm">
      <Group>
        <SegmentedControl
          size="xs"
          aria-label="Deliveries shown"
          data={[
            { value: 'all', label: 'All' },
            { value: 'failed', label: 'Failed' },
          ]}
          value={outcome}
          onChange={(chosen) => setOutcome(chosen === 'failed' ? 'failed' : 'all')}
        />
      </Group>
      <LoadedPages pages={pages} empty={<Empty title="No deliveries" />}>
        {(deliveries) => <DeliveryList deliveries={deliveries} />}
      </LoadedPages>
    </Stack>
  )
}
