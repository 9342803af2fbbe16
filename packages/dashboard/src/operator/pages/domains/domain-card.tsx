import { type AccountDomain, KEY_KIND_NAMES, type RotatedKey } from '@inkling/contract/account'
import { Anchor, Button, Group, Menu, Stack, Switch } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useApiMutation, useIsOwner } from '../../api/use-api.ts'
import { CopyIcon } from '../../parts/code.tsx'
import { ConfirmDialog, SecretsDialog } from '../../parts/dialogs.tsx'
import { attempt } from '../../parts/feedback.tsx'
import { countedText, countText, Time } from '../../parts/format.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Facts, Section } from '../../parts/layout.tsx'
import { DomainLimits } from './domain-limits.tsx'
import { LinkingCost } from './linking-cost.tsx'
import { ReviewSettings } from './review-settings.tsx'
import { SealedVerdicts } from './sealed-verdicts.tsx'

export function DomainCard({ domain }: { domain: AccountDomain }) {
  const isOwner = useIsOwner()
  return (
    <Section title={domain.domain}>
      <Facts
        facts={[
          { name: 'Status', value: domain.enabled ? 'enabled' : 'disabled: its keys do not work' },
          { name: 'Last 24 hours', value: countedText(domain.identifications_last_day, 'identification') },
          {
            name: 'Latest',
            value: domain.last_identification_at ? <Time at={domain.last_identification_at} /> : 'none yet',
          },
          ...(domain.has_volume
            ? [{ name: 'Identifications left', value: countText(domain.remaining) }]
            : []),
          {
            name: 'Public key',
            value: (
              <Group gap={4} wrap="nowrap" component="span">
                <code>{domain.public_key}</code>
                <CopyIcon value={domain.public_key} what={`the public key of ${domain.domain}`} />
              </Group>
            ),
          },
          { name: 'Secret key', value: <code>…{domain.secret_key_tail}</code> },
          { name: 'Accounts', value: accountsText(domain) },
          { name: 'Webhooks', value: <EndpointsLink domain={domain} /> },
          { name: 'Added', value: <Time at={domain.created_at} /> },
        ]}
      />
      {domain.rights.includes('settings:write') && (
        <Stack gap="sm">
          {isOwner && <EnabledSwitch domain={domain} />}
          <DomainLimits domain={domain} />
          {domain.has_user_key && <SignedUsersSwitch domain={domain} />}
          <SealedVerdicts domain={domain} />
          <LinkingCost domain={domain} />
          <ReviewSettings domain={domain} />
          <RotateKeys domain={domain} />
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
        {domain.rights.includes('members:write') && (
          <Button
            size="xs"
            variant="default"
            renderRoot={(props) => (
              <Link {...props} to="/d/$domain/members" params={{ domain: domain.domain }} />
            )}
          >
            Members
          </Button>
        )}
      </Group>
    </Section>
  )
}

const EndpointsLink = ({ domain: { domain, endpoints } }: { domain: AccountDomain }) => (
  <Anchor inherit renderRoot={(props) => <Link {...props} to="/d/$domain/webhooks" params={{ domain }} />}>
    {countedText(endpoints, 'endpoint')}
  </Anchor>
)

const accountsText = ({ has_user_key: hasKey, signed_users_only: only }: AccountDomain): string => {
  if (!hasKey) return 'as the page names them: no user key yet'
  return only ? 'signed by your backend; others are dropped' : 'signed by your backend, or claimed'
}

/** Dropping accounts asks first, because pages that do not sign yet lose theirs. */
function SignedUsersSwitch({ domain: { domain, signed_users_only: only } }: { domain: AccountDomain }) {
  const change = useApiMutation('changeDomain', ['listDomains', 'getDomain'])
  return (
    <SwitchThatAsks
      label="Signed accounts only"
      checked={only}
      asksBefore={true}
      title={`Drop accounts that ${domain} did not sign?`}
      action="Drop them"
      set={(next) =>
        attempt(`${domain} takes ${next ? 'signed accounts only' : 'accounts without signature, too'}.`, () =>
          change.mutateAsync({ params: { domain }, body: { signed_users_only: next } }),
        )
      }
    >
      Visits from pages that pass an account without the signature of your backend are stored as anonymous.
    </SwitchThatAsks>
  )
}

/** Disabling asks first, because it affects every page and backend of the domain. */
function EnabledSwitch({ domain: { domain, enabled } }: { domain: AccountDomain }) {
  const change = useApiMutation('changeDomain', ['listDomains', 'getDomain'])
  return (
    <SwitchThatAsks
      label="Enabled"
      checked={enabled}
      asksBefore={false}
      title={`Disable ${domain}?`}
      action="Disable"
      set={(next) =>
        attempt(`${domain} is ${next ? 'enabled' : 'disabled'}.`, () =>
          change.mutateAsync({ params: { domain }, body: { enabled: next } }),
        )
      }
    >
      Until it is enabled again, visits are not identified and requests from your backend are rejected.
    </SwitchThatAsks>
  )
}

interface SwitchThatAsksProps {
  label: string
  checked: boolean
  /** The state that asks for confirmation before it is set. */
  asksBefore: boolean
  title: string
  action: string
  set: (next: boolean) => ReturnType<typeof attempt>
  /** What the confirmation says. */
  children: ReactNode
}

function SwitchThatAsks({ label, checked, asksBefore, set, ...dialog }: SwitchThatAsksProps) {
  const [asking, setAsking] = useState(false)
  return (
    <>
      <Switch
        label={label}
        checked={checked}
        onChange={() => {
          if (checked === asksBefore) void set(!checked)
          else setAsking(true)
        }}
      />
      <ConfirmDialog
        opened={asking}
        close={() => setAsking(false)}
        confirm={() => set(asksBefore)}
        {...dialog}
      />
    </>
  )
}

type Kind = RotatedKey['kind']

const KINDS: Record<Kind, { label: string; name: string; consequence: string }> = {
  api: {
    label: 'API key',
    name: 'API key',
    consequence: 'Requests to the History API are rejected until your backend uses the new key.',
  },
  secret: {
    label: 'Secret key',
    name: 'secret key',
    consequence: 'Requests to the Management API are rejected until your backend uses the new key.',
  },
  public: {
    label: 'Public key',
    name: 'public key',
    consequence: 'Visits are not identified until the snippet in your pages has the new key.',
  },
  user: {
    label: 'User key',
    name: 'user key',
    consequence:
      'Your backend signs accounts with it. Signatures by the old key are invalid, also those in pages that are open.',
  },
}

function RotateKeys({ domain: { domain, has_user_key: hasUserKey } }: { domain: AccountDomain }) {
  const [asking, setAsking] = useState<Kind>()
  const [rotated, setRotated] = useState<RotatedKey>()
  const rotate = useApiMutation('rotateKey', ['listDomains', 'getDomain'])

  async function confirm(): Promise<void> {
    if (asking === undefined) return
    const params = { domain, kind: asking }
    setRotated(await attempt(`The ${KINDS[asking].name} was rotated.`, () => rotate.mutateAsync({ params })))
  }

  return (
    <>
      <Menu position="bottom-start">
        <Menu.Target>
          <Button size="xs" variant="default" w="fit-content" rightSection={<Icon name="down" size={14} />}>
            Rotate a key
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {KEY_KIND_NAMES.map((kind) => (
            <Menu.Item key={kind} onClick={() => setAsking(kind)}>
              {KINDS[kind].label}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <ConfirmDialog
        opened={asking !== undefined}
        close={() => setAsking(undefined)}
        title={asking === undefined ? '' : `Rotate the ${KINDS[asking].name} of ${domain}?`}
        action="Rotate"
        typed={domain}
        confirm={confirm}
      >
        {asking !== undefined && KINDS[asking].consequence}
        {(asking !== 'user' || hasUserKey) && ' The old key stops working within a second.'}
      </ConfirmDialog>
      <SecretsDialog
        title={`New key of ${domain}`}
        about="Copy it now: it is not shown again."
        secrets={rotated && [{ name: KINDS[rotated.kind].label, value: rotated.key }]}
        close={() => setRotated(undefined)}
      />
    </>
  )
}
