import type { EntitySummary, LinkedValue } from '@inkling/contract/account'
import { Button, Table, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { Time } from '../../parts/format.tsx'
import { IDENTIFIERS, Identifier } from '../../parts/identifier.tsx'
import { Section } from '../../parts/layout.tsx'
import { linkedCount } from './entity-counts.tsx'

type Kind = keyof EntitySummary['linked']

const TITLES: Record<Kind, string> = {
  device_id: 'Devices',
  visitor_id: 'Visitors',
  user_hid: 'Accounts',
  ip: 'IP addresses',
  local_ip: 'Local IP addresses',
  cookie_id: 'Cookies',
  country: 'Countries',
  browser: 'Browsers',
  os: 'Operating systems',
}
/** The rest is shown on request, so that one long list does not push the others out of sight. */
const SHOWN_FIRST = 6

interface LinkedValuesProps {
  domain: string
  linked: EntitySummary['linked']
  self: Pick<EntitySummary, 'type'>
}

/** Values that were seen in the same visits as the entity. */
export const LinkedValues = ({ domain, linked, self }: LinkedValuesProps) =>
  (Object.keys(TITLES) as Kind[])
    .filter((kind) => kind !== self.type)
    .map((kind) => (
      <Linked key={kind} kind={kind} values={linked[kind]}>
        {kind === 'device_id' && <CompareFirst domain={domain} devices={linked.device_id} />}
      </Linked>
    ))

/** Two devices of one account or address: the usual question is whether they are one. */
const CompareFirst = ({ domain, devices: [a, b] }: { domain: string; devices: readonly LinkedValue[] }) =>
  a && b ? (
    <Button
      size="xs"
      variant="default"
      renderRoot={(props) => (
        <Link {...props} to="/d/$domain/compare" params={{ domain }} search={{ a: a.value, b: b.value }} />
      )}
    >
      Compare the first two
    </Button>
  ) : null

interface LinkedProps {
  kind: Kind
  values: readonly LinkedValue[]
  children: ReactNode
}

function Linked({ kind, values, children }: LinkedProps) {
  const [all, setAll] = useState(false)
  const type = IDENTIFIERS.find((known) => known === kind)
  return (
    <Section title={`${TITLES[kind]} (${linkedCount(values)})`}>
      {values.length === 0 && (
        <Text size="sm" className="dim">
          none
        </Text>
      )}
      {values.length > 0 && (
        <Table verticalSpacing={4}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Value</Table.Th>
              <Table.Th ta="right">Visits</Table.Th>
              <Table.Th>Last seen</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {values
              .slice(0, all ? undefined : SHOWN_FIRST)
              .map(({ value, identifications, last_seen_at }) => (
                <Table.Tr key={value}>
                  <Table.Td>
                    {type ? <Identifier type={type} value={value} short /> : value === '' ? 'unknown' : value}
                  </Table.Td>
                  <Table.Td ta="right">{identifications}</Table.Td>
                  <Table.Td>
                    <Time at={last_seen_at} />
                  </Table.Td>
                </Table.Tr>
              ))}
          </Table.Tbody>
        </Table>
      )}
      {values.length > SHOWN_FIRST && !all && (
        <Button size="xs" variant="default" onClick={() => setAll(true)}>
          Show all {values.length}
        </Button>
      )}
      {children}
    </Section>
  )
}
