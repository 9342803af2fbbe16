import type { Overview, OverviewTrend } from '@inkling/contract/account'
import { Group, Paper, SimpleGrid, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Change } from './change.tsx'
import { countText, growthText, pointsText, scoreText } from './numbers.ts'

/** The range in six numbers. */
export const Totals = ({ overview }: { overview: Overview }) => (
  <SimpleGrid component="dl" cols={{ base: 2, sm: 3, xl: 6 }} spacing="sm" m={0}>
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
