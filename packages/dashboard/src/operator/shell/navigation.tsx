import { Divider, NavLink, Stack, Text } from '@mantine/core'
import { Link, type LinkProps, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useAnswer, useIsOwner } from '../api/use-api.ts'
import { Icon, type IconName } from '../parts/icon.tsx'
import { DomainSwitch } from './domain-switch.tsx'

interface Entry {
  to: LinkProps['to']
  label: string
  icon: IconName
}

const OF_A_DOMAIN: readonly Entry[] = [
  { to: '/d/$domain/overview', label: 'Overview', icon: 'chart' },
  { to: '/d/$domain/identifications', label: 'Identifications', icon: 'table' },
  { to: '/d/$domain/patterns', label: 'Patterns', icon: 'alert' },
  { to: '/d/$domain/integration', label: 'Integration', icon: 'plug' },
  { to: '/d/$domain/webhooks', label: 'Webhooks', icon: 'send' },
  { to: '/d/$domain/rules', label: 'Weights and rules', icon: 'sliders' },
]
const OF_ITS_OWNER: readonly Entry[] = [{ to: '/d/$domain/privacy', label: 'Privacy', icon: 'shield' }]
const OF_ALL: readonly Entry[] = [
  { to: '/domains', label: 'Domains and keys', icon: 'globe' },
  { to: '/feeds', label: 'Feeds', icon: 'download' },
  { to: '/health', label: 'System health', icon: 'pulse' },
]
const OF_OWNERS: readonly Entry[] = [
  { to: '/users', label: 'Users', icon: 'users' },
  { to: '/audit', label: 'Audit log', icon: 'list' },
]

export function Navigation() {
  const isOwner = useIsOwner()
  const shown = useShownDomain()
  return (
    <Stack gap="xs" component="nav" aria-label="Pages">
      {shown !== undefined && (
        <>
          <DomainSwitch domain={shown} />
          <Links entries={isOwner ? [...OF_A_DOMAIN, ...OF_ITS_OWNER] : OF_A_DOMAIN} domain={shown} />
          <Divider />
        </>
      )}
      <Text size="xs" fw={600} className="dim" px="xs">
        Installation
      </Text>
      <Links entries={isOwner ? [...OF_ALL, ...OF_OWNERS] : OF_ALL} />
    </Stack>
  )
}

/** That of the page, else the one before, else the first one. */
function useShownDomain(): string | undefined {
  const { domain } = useParams({ strict: false })
  const { data } = useAnswer('listDomains', {})
  const [last, setLast] = useState(domain)
  if (domain !== undefined && domain !== last) setLast(domain)
  return domain ?? last ?? data?.[0]?.domain
}

const Links = ({ entries, domain }: { entries: readonly Entry[]; domain?: string }) => (
  <div>
    {entries.map(({ to, label, icon }) => (
      <NavLink
        key={label}
        label={label}
        leftSection={<Icon name={icon} />}
        renderRoot={(props) => (
          <Link
            {...props}
            to={to}
            params={domain === undefined ? {} : { domain }}
            activeProps={{ 'data-active': true, 'aria-current': 'page' }}
          />
        )}
      />
    ))}
  </div>
)
