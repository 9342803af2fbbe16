import { type Band, isUuid } from '@inkling/contract'
import type { ComparedPart, DeviceComparison } from '@inkling/contract/account'
import { Button, Group, Stack, Table, Text, TextInput } from '@mantine/core'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { ApiError } from '../../api/request.ts'
import { useApiQuery } from '../../api/use-api.ts'
import { StatusBadge } from '../../parts/badges.tsx'
import { partName } from '../../parts/device-parts.ts'
import { Empty, Loaded } from '../../parts/feedback.tsx'
import { Time } from '../../parts/format.tsx'
import { Identifier } from '../../parts/identifier.tsx'
import { PageHead, ScrollTable, Section } from '../../parts/layout.tsx'
import { comparisonText, inOrder, rateText } from './comparison-words.ts'

const route = getRouteApi('/signed-in/d/$domain/compare')

export function ComparePage() {
  const { domain } = route.useParams()
  const { a, b } = route.useSearch()
  const asked = isUuid(a) && isUuid(b)
  return (
    <>
      <PageHead about="One machine, or two that look alike? Both devices as they were at their latest visit." />
      <Stack gap="md">
        <Choice key={`${a} ${b}`} domain={domain} a={a} b={b} />
        {asked && <Compared domain={domain} a={a} b={b} />}
        {!asked && (
          <Empty title="Two devices are needed">
            Enter their IDs, or choose two on the page of an account or an address.
          </Empty>
        )}
      </Stack>
    </>
  )
}

interface Pair {
  domain: string
  a: string
  b: string
}

function Choice({ domain, a, b }: Pair) {
  const navigate = useNavigate()
  const [ids, setIds] = useState({ a, b })
  const problem = (id: string): string | undefined =>
    id.trim() === '' || isUuid(id.trim()) ? undefined : 'Enter a complete UUID of 36 characters.'
  function compare(event: FormEvent): void {
    event.preventDefault()
    const search = { a: ids.a.trim(), b: ids.b.trim() }
    void navigate({ to: '/d/$domain/compare', params: { domain }, search })
  }
  return (
    <form onSubmit={compare}>
      <Group align="flex-end" gap="sm">
        {(['a', 'b'] as const).map((side) => (
          <TextInput
            key={side}
            label={side === 'a' ? 'First device' : 'Second device'}
            value={ids[side]}
            error={problem(ids[side])}
            onChange={({ currentTarget: { value } }) => setIds((now) => ({ ...now, [side]: value }))}
            classNames={{ input: 'mono' }}
            w={{ base: '100%', sm: 340 }}
          />
        ))}
        <Button type="submit" disabled={!isUuid(ids.a.trim()) || !isUuid(ids.b.trim())}>
          Compare
        </Button>
      </Group>
    </form>
  )
}

function Compared({ domain, a, b }: Pair) {
  const query = useApiQuery('compareDevices', { params: { domain }, query: { a, b } })
  if (query.error instanceof ApiError && query.error.status === 404)
    return (
      <Empty title="No such device">
        No identification has one of these IDs: it may have been erased, or it belongs to another domain.
      </Empty>
    )
  return <Loaded query={query}>{(comparison) => <Comparison comparison={comparison} />}</Loaded>
}

const Comparison = ({ comparison }: { comparison: DeviceComparison }) => (
  <>
    <Section title="In short">
      <Text size="sm">{comparisonText(comparison)}</Text>
    </Section>
    <Section
      title="Part by part"
      about="The linker reckons with how often one machine changes in this way. Identical machines, as in a company, agree in everything."
    >
      <ScrollTable label="Parts of both devices" head={['What', 'Result', 'First device', 'Second device']}>
        <Table.Tr>
          <Table.Td>Latest visit</Table.Td>
          <Table.Td />
          <Visit of={comparison.a} />
          <Visit of={comparison.b} />
        </Table.Tr>
        {inOrder(comparison.parts).map((part) => (
          <Part key={part.part} part={part} />
        ))}
      </ScrollTable>
    </Section>
  </>
)

const Visit = ({ of: { device_id, request_id, at } }: { of: DeviceComparison['a'] }) => (
  <Table.Td>
    <Identifier type="device_id" value={device_id} short />
    {request_id === null || at === null ? (
      <Text size="xs" className="dim">
        no snapshot
      </Text>
    ) : (
      <Text size="xs" className="dim" component="div">
        <Time at={at} /> <Identifier type="request_id" value={request_id} short />
      </Text>
    )}
  </Table.Td>
)

const RESULTS = {
  different: { text: 'Different', tone: 'suspicious' },
  equal: { text: 'Equal', tone: 'trusted' },
  unknown: { text: 'Not known', tone: 'rate_limited' },
} as const satisfies Record<ComparedPart['result'], { text: string; tone: Band }>

const Part = ({ part: { part, a, b, result, change_rate } }: { part: ComparedPart }) => (
  <Table.Tr>
    <Table.Th scope="row" fw={500}>
      {partName(part)}
    </Table.Th>
    <Table.Td>
      <StatusBadge tone={RESULTS[result].tone}>{RESULTS[result].text}</StatusBadge>
      {change_rate !== null && (
        <Text size="xs" className="dim">
          one machine: {rateText(change_rate)}
        </Text>
      )}
    </Table.Td>
    {[a, b].map((text, side) => (
      <Table.Td key={side === 0 ? 'a' : 'b'} style={{ overflowWrap: 'anywhere' }}>
        {text ?? (
          <Text span size="sm" className="dim">
            unknown
          </Text>
        )}
      </Table.Td>
    ))}
  </Table.Tr>
)
