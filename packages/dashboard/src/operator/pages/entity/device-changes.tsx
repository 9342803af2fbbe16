import type { DeviceChange, DeviceChanges as Found } from '@inkling/contract/account'
import { Button, Table, Text } from '@mantine/core'
import { useState } from 'react'
import { useApiQuery } from '../../api/use-api.ts'
import { partName } from '../../parts/device-parts.ts'
import { Loaded } from '../../parts/feedback.tsx'
import { countedText, countText, Time } from '../../parts/format.tsx'
import { Identifier } from '../../parts/identifier.tsx'
import { ScrollTable, Section } from '../../parts/layout.tsx'

/** The rest is shown on request. */
const SHOWN_FIRST = 8

/** What became different on a device between its visits, and when. */
export function DeviceChanges({ domain, deviceId }: { domain: string; deviceId: string }) {
  const query = useApiQuery('getDeviceChanges', { params: { domain }, query: { device_id: deviceId } })
  return (
    <Section
      title="Changes"
      about="What was different from one visit to the next. What went back and forth between two values is one change."
    >
      <Loaded query={query}>{(found) => <Changes found={found} />}</Loaded>
    </Section>
  )
}

function Changes({ found }: { found: Found }) {
  const [all, setAll] = useState(false)
  const { changes, visits, since, complete } = found
  if (since === null)
    return (
      <Text size="sm" className="dim">
        No snapshot of its visits is stored, so there is nothing to compare.
      </Text>
    )
  return (
    <>
      {changes.length > 0 && (
        <ScrollTable label="Changes of the device" head={['Last change', 'What', 'From', 'To', 'Visit']}>
          {changes.slice(0, all ? undefined : SHOWN_FIRST).map((change) => (
            <Change key={`${change.part} ${change.at} ${change.to}`} change={change} />
          ))}
        </ScrollTable>
      )}
      {changes.length > SHOWN_FIRST && !all && (
        <Button size="xs" variant="default" onClick={() => setAll(true)}>
          Show all {changes.length}
        </Button>
      )}
      <Text size="sm" className="dim">
        {changes.length === 0 && 'Nothing changed. '}
        {complete ? 'Compared' : 'Compared the latest'} {countedText(visits, 'visit')}, since{' '}
        <Time at={since} />.
      </Text>
    </>
  )
}

const Change = ({
  change: { part, from, to, at, request_id, times, first_at },
}: {
  change: DeviceChange
}) => (
  <Table.Tr>
    <Table.Td className="one-line">
      <Time at={at} />
    </Table.Td>
    <Table.Td>
      {partName(part)}
      {times > 1 && (
        <Text size="xs" className="dim">
          {countText(times)} times since <Time at={first_at} />
        </Text>
      )}
    </Table.Td>
    <Table.Td style={{ overflowWrap: 'anywhere' }}>{from}</Table.Td>
    <Table.Td style={{ overflowWrap: 'anywhere' }}>{to}</Table.Td>
    <Table.Td>
      <Identifier type="request_id" value={request_id} short />
    </Table.Td>
  </Table.Tr>
)
