import type { Overview, OverviewTrend } from '@inkling/contract/account'
import { Group, Paper, SimpleGrid, Text, VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import { countText, growthText, pointsText, scoreText } from '../../parts/format.tsx'

/** The key numbers of the range. */
export const Totals = ({ overview }: { overview: Overview }) => (
  <SimpleGrid component="dl" cols={{ base: 2, sm: 4, xl: 7 }} spacing="sm" m={0}>
    <Tile name="Identifications" {...counted(overview.identifications)} />
    <Tile
      name="Average risk"
      value={scoreText(overview.average_score.value)}
      change={
        <Change change={overview.average_score.change} text={(points) => `${pointsText(points)} points`} />
      }
    />
    <Tile name="Visitors" {...counted(overview.visitors)} />
    <Tile name="New visitors" {...counted(overview.new_visitors)} />
    <Tile name="Devices" {...counted(overview.devices)} />
    <Tile name="New devices" {...counted(overview.new_devices)} />
    <Tile name="Declared agents" {...counted(overview.declared_agents)} />
  </SimpleGrid>
)

const counted = ({ value, change }: OverviewTrend) => ({
  value: countText(value),
  change: <Change change={change} text={growthText} />,
})

const Tile = ({ name, value, change }: { name: string; value: string; change: ReactNode }) => (
  <Paper withBorder p="sm" component="div">
    <Text component="dt" size="sm" className="dim">
      {name}
    </Text>
    <Group component="dd" m={0} gap="xs" align="baseline" wrap="wrap">
      <Text span size="xl" fw={600}>
        {value}
      </Text>
      {change}
    </Group>
  </Paper>
)

interface ChangeProps {
  change: number | null
  /** Formats the change, such as `+12%`. */
  text(change: number): string
}

/** The change from the previous range. An increase is neither good nor bad, so it has no colour. */
export const Change = ({ change, text }: ChangeProps) => (
  <Text span size="sm" className="dim one-line">
    {change === null ? (
      <span title="Not enough data in the previous range to compare with">
        –<VisuallyHidden>not enough data in the previous range</VisuallyHidden>
      </span>
    ) : (
      <>
        {text(change)}
        <VisuallyHidden> compared with the previous range</VisuallyHidden>
      </>
    )}
  </Text>
)
