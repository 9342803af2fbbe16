import type { OverviewDimension, OverviewValue, OverviewValues } from '@inkling/contract/account'
import { COMPARED_FROM } from '@inkling/contract/account'
import { Anchor, Group, Progress, Table, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { FILTER_NAMES } from '../identifications/read-search.ts'
import { Change } from './change.tsx'
import { countText, growthText, pointsText, scoreText, shareText } from './numbers.ts'
import { valueLabel } from './value-label.ts'

interface ValueTableProps {
  domain: string
  answer: OverviewValues
}

export function ValueTable({ domain, answer }: ValueTableProps) {
  const { dimension, values } = answer
  return (
    <Table verticalSpacing={6} horizontalSpacing={4} layout="fixed" fz="sm">
      <Table.Thead>
        <Table.Tr>
          <Table.Th w="40%">Value</Table.Th>
          <Table.Th ta="right">Visits</Table.Th>
          <Table.Th ta="right" className="one-line">
            Change
          </Table.Th>
          <Table.Th ta="right">{dimension === 'signal' ? 'Points' : 'Risk'}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {values.map((value) => (
          <Table.Tr key={value.value}>
            <Table.Td>
              <Value domain={domain} answer={answer} value={value} />
            </Table.Td>
            <Table.Td ta="right">{countText(value.identifications.value)}</Table.Td>
            <Table.Td ta="right">
              <Change change={value.identifications.change} text={growthText} />
            </Table.Td>
            <Table.Td ta="right">
              {value.mean_points === null ? <Risk value={value} /> : pointsText(value.mean_points)}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

/** An average of a few visits would accuse a whole source. */
const Risk = ({ value: { average_score, comparable } }: { value: OverviewValue }) =>
  comparable ? (
    <span>{scoreText(average_score)}</span>
  ) : (
    <Text span size="sm" className="dim" title={`An average needs ${COMPARED_FROM} visits`}>
      too few
    </Text>
  )

interface ValueProps extends ValueTableProps {
  value: OverviewValue
}

function Value({ domain, answer, value: { value, share } }: ValueProps) {
  const { dimension } = answer
  const label = valueLabel(dimension, value)
  return (
    <>
      <Group justify="space-between" gap="xs">
        <Text span size="sm" style={{ overflowWrap: 'anywhere' }}>
          {hasFilter(dimension) ? (
            <Anchor
              inherit
              renderRoot={(props) => (
                <Link
                  {...props}
                  to="/d/$domain/identifications"
                  params={{ domain }}
                  search={{ [dimension]: value, from: answer.from, to: answer.to }}
                />
              )}
            >
              {label}
            </Anchor>
          ) : (
            label
          )}
        </Text>
        <Text span size="xs" className="dim">
          {shareText(share)}
        </Text>
      </Group>
      <Progress value={share * 100} size="sm" aria-label={`${label}: ${shareText(share)}`} />
    </>
  )
}

/** Whether the table of identifications can be filtered by it. */
const hasFilter = (dimension: OverviewDimension): boolean =>
  (FILTER_NAMES as readonly string[]).includes(dimension)
