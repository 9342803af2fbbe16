import type { AccountDomain } from '@inkling/contract/account'
import { Anchor, Button, Group, Stack, Switch } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useChange, useIsOwner } from '../../api/use-api.ts'
import { attempt } from '../../parts/attempt.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { CopyText } from '../../parts/copy-text.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Section } from '../../parts/section.tsx'
import { Time } from '../../parts/time.tsx'
import { RotateKeys } from './rotate-keys.tsx'

export function DomainCard({ domain }: { domain: AccountDomain }) {
  const isOwner = useIsOwner()
  return (
    <Section title={domain.domain}>
      <Facts
        facts={[
          { name: 'State', value: domain.enabled ? 'on' : 'off: its keys do not work' },
          { name: 'Last 24 hours', value: `${domain.identifications_last_day} identifications` },
          {
            name: 'Newest',
            value: domain.last_identification_at ? <Time at={domain.last_identification_at} /> : 'none yet',
          },
          { name: 'Volume left', value: domain.remaining.toLocaleString() },
          {
            name: 'Public key',
            value: (
              <Group gap={4} wrap="nowrap" component="span">
                <code>{domain.public_key}</code>
                <CopyText value={domain.public_key} what={`the public key of ${domain.domain}`} />
              </Group>
            ),
          },
          { name: 'Secret key', value: <code>…{domain.secret_key_tail}</code> },
          { name: 'Endpoints', value: <EndpointsLink domain={domain} /> },
          { name: 'Added', value: <Time at={domain.created_at} /> },
        ]}
      />
      {isOwner && (
        <Stack gap="sm">
          <EnabledSwitch domain={domain} />
          <RotateKeys domain={domain.domain} />
        </Stack>
      )}
      <Group>
        <Button
          size="xs"
          variant="default"
          renderRoot={(props) => (
            <Link {...props} to="/d/$domain/integration" params={{ domain: domain.domain }} />
          )}
        >
          Integration
        </Button>
      </Group>
    </Section>
  )
}

const EndpointsLink = ({ domain: { domain, endpoints } }: { domain: AccountDomain }) => (
  <Anchor inherit renderRoot={(props) => <Link {...props} to="/d/$domain/webhooks" params={{ domain }} />}>
    {endpoints === 1 ? '1 webhook endpoint' : `${endpoints} webhook endpoints`}
  </Anchor>
)

/** Off asks first, because every page and backend of the domain notices. */
function EnabledSwitch({ domain: { domain, enabled } }: { domain: AccountDomain }) {
  const change = useChange('changeDomain', ['listDomains', 'getDomain'])
  const [asking, setAsking] = useState(false)
  const set = (next: boolean) =>
    attempt(`${domain} is ${next ? 'on' : 'off'}.`, () =>
      change.mutateAsync({ params: { domain }, body: { enabled: next } }),
    )
  return (
    <>
      <Switch
        label="Keys work"
        checked={enabled}
        onChange={() => {
          if (enabled) setAsking(true)
          else void set(true)
        }}
      />
      <Confirm
        opened={asking}
        close={() => setAsking(false)}
        title={`Switch ${domain} off?`}
        action="Switch off"
        confirm={() => set(false)}
      >
        Its pages are no longer identified and its backends are refused, until it is switched on again.
      </Confirm>
    </>
  )
}
