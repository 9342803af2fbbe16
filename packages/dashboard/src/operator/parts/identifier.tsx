import { NIL_UUID, NO_IPV4, namesAccount, SEARCH_TYPES } from '@inkling/contract'
import { ENTITY_TYPES } from '@inkling/contract/account'
import { Anchor, Group, Text } from '@mantine/core'
import { Link, useParams } from '@tanstack/react-router'
import { CopyIcon } from './code.tsx'

/** What visits can be searched by: the identifiers of History, and the address behind the public one. */
export const IDENTIFIERS = [...SEARCH_TYPES, 'local_ip'] as const
export type IdentifierType = (typeof IDENTIFIERS)[number]

export const IDENTIFIER_LABELS: Record<IdentifierType, string> = {
  request_id: 'Request ID',
  device_id: 'Device',
  visitor_id: 'Visitor',
  user_hid: 'Account',
  ip: 'IP address',
  local_ip: 'Local IP',
  session_id: 'Session',
  cookie_id: 'Cookie',
}

interface IdentifierProps {
  type: IdentifierType
  value: string
  /** Shows only the first eight characters of a UUID. */
  short?: boolean
  copy?: boolean
}

/** An identifier that links to everything that shares it. */
export function Identifier({ type, value, short = false, copy = false }: IdentifierProps) {
  const { domain } = useParams({ strict: false })
  if (value === NIL_UUID || value === NO_IPV4 || value === '' || domain === undefined)
    return (
      <Text span size="sm" className="dim">
        none
      </Text>
    )
  // Strangers share such a value, so there is nothing to link to.
  if (type === 'user_hid' && !namesAccount(value))
    return (
      <Text span size="sm" className="dim" title="Stands for visitors without an account">
        {value}
      </Text>
    )
  const shown = short && value.length === 36 ? `${value.slice(0, 8)}…` : value
  const text = (
    <Text
      span
      size="sm"
      style={{ overflowWrap: 'anywhere' }}
      className={className(type, short)}
      title={value}
    >
      {shown}
    </Text>
  )
  return (
    <Group gap={2} wrap="nowrap" component="span">
      <Anchor renderRoot={(props) => <Link {...props} {...destination(domain, type, value)} />}>
        {text}
      </Anchor>
      {copy && <CopyIcon value={value} what={IDENTIFIER_LABELS[type]} />}
    </Group>
  )
}

/** Only a long value that is shown in full may wrap. */
const className = (type: IdentifierType, short: boolean): string =>
  `${type === 'user_hid' ? '' : 'mono'} ${short || type === 'ip' || type === 'local_ip' ? 'one-line' : ''}`

/** A request ID links to its identification, an entity to its own page, others to the rows that have them. */
export function destination(domain: string, type: IdentifierType, value: string) {
  if (type === 'request_id')
    return { to: '/d/$domain/identifications/$requestId', params: { domain, requestId: value } } as const
  const entity = ENTITY_TYPES.find((known) => known === type)
  if (entity) return { to: '/d/$domain/entity', params: { domain }, search: { type: entity, value } } as const
  return { to: '/d/$domain/identifications', params: { domain }, search: { [type]: value } } as const
}
