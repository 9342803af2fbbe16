import type { EndpointAttempt, RotatedSecret, WebhookEndpoint } from '@inkling/contract/account'
import { Button, Group, Switch } from '@mantine/core'
import { useState } from 'react'
import { useChange } from '../../api/use-api.ts'
import { attempt } from '../../parts/attempt.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { Failed } from '../../parts/failed.tsx'
import { ShownOnce } from '../../parts/shown-once.tsx'
import { AttemptResult } from './attempt-result.tsx'

interface EndpointControlsProps {
  domain: string
  endpoint: WebhookEndpoint
}

const CHANGED = ['listEndpoints', 'listDeliveries', 'listDomains'] as const

/** What an owner may do with an endpoint. */
export function EndpointControls({
  domain,
  endpoint: { id, url, enabled, pattern_events },
}: EndpointControlsProps) {
  const params = { domain, endpoint_id: id }
  const [asking, setAsking] = useState<'rotate' | 'remove'>()
  const [rotated, setRotated] = useState<RotatedSecret>()
  const [sent, setSent] = useState<{ what: string; result: EndpointAttempt }>()
  const ping = useChange('pingEndpoint', CHANGED)
  const test = useChange('testEndpoint', CHANGED)
  const change = useChange('changeEndpoint', CHANGED)
  const rotate = useChange('rotateSecret', CHANGED)
  const remove = useChange('removeEndpoint', CHANGED)
  const error = ping.error ?? test.error
  return (
    <>
      <Group gap="sm">
        <Switch
          label="Send events"
          checked={enabled}
          onChange={() =>
            void attempt(`Events are ${enabled ? 'no longer ' : ''}sent to it.`, () =>
              change.mutateAsync({ params, body: { enabled: !enabled } }),
            )
          }
        />
        <Switch
          label="Pattern events, too"
          checked={pattern_events}
          onChange={() =>
            void attempt(`Pattern events are ${pattern_events ? 'no longer ' : ''}sent to it.`, () =>
              change.mutateAsync({ params, body: { pattern_events: !pattern_events } }),
            )
          }
        />
        <Button
          size="xs"
          loading={ping.isPending}
          onClick={() =>
            ping.mutate({ params }, { onSuccess: (result) => setSent({ what: 'Ping', result }) })
          }
        >
          Verify by ping
        </Button>
        <Button
          size="xs"
          variant="default"
          loading={test.isPending}
          onClick={() =>
            test.mutate({ params }, { onSuccess: (result) => setSent({ what: 'Test', result }) })
          }
        >
          Test
        </Button>
        <Button size="xs" variant="default" onClick={() => setAsking('rotate')}>
          Rotate secret
        </Button>
        <Button size="xs" variant="default" onClick={() => setAsking('remove')}>
          Remove
        </Button>
      </Group>
      {error && <Failed error={error} />}
      {sent && <AttemptResult {...sent} />}
      <Confirm
        opened={asking === 'rotate'}
        close={() => setAsking(undefined)}
        title="Rotate the signing secret?"
        action="Rotate"
        confirm={async () =>
          setRotated(await attempt('The secret was replaced.', () => rotate.mutateAsync({ params })))
        }
      >
        The old one stops signing within a second. Let your receiver at {url} accept the new one as well.
      </Confirm>
      <Confirm
        opened={asking === 'remove'}
        close={() => setAsking(undefined)}
        title="Remove the endpoint?"
        action="Remove"
        confirm={() => attempt('The endpoint was removed.', () => remove.mutateAsync({ params }))}
      >
        Events that wait for {url} are not sent.
      </Confirm>
      <ShownOnce
        title="New signing secret"
        about={`It replaces ${rotated?.replaced ?? ''}. Copy it now: it is not shown again.`}
        secrets={rotated && [{ name: url, value: rotated.secret }]}
        close={() => setRotated(undefined)}
      />
    </>
  )
}
