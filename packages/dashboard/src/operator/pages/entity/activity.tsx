import '@mantine/charts/styles.css'
import { bandOf } from '@inkling/contract'
import type { EntityDay, EntitySummary } from '@inkling/contract/account'
import { BarChart } from '@mantine/charts'
import { Accordion, Table } from '@mantine/core'
import { useDeferredValue, useMemo } from 'react'
import { BAND_COLORS, HighestScore } from '../../parts/badges.tsx'
import { countText } from '../../parts/format.tsx'
import { ScrollTable, Section } from '../../parts/layout.tsx'
import { barShape, isOpen, openLabel } from '../../parts/open-bucket.tsx'
import { DAYS_MAX, everyDay } from './every-day.ts'

interface NamedDay extends EntityDay {
  label: string
  open: boolean
}

const namedDays = (days: readonly EntityDay[], nowMs: number): NamedDay[] =>
  everyDay(days, nowMs).map((day) => ({
    ...day,
    label: openLabel(day.day, 'day', nowMs),
    open: isOpen(day.day, 'day', nowMs),
  }))

/** Before the days are drawn. */
const NO_DAYS: NamedDay[] = []

/** How often an entity was seen, day by day, and how risky its riskiest visit was. */
export function Activity({ days, complete }: Pick<EntitySummary, 'days' | 'complete'>) {
  const data = useMemo(() => namedDays(days, Date.now()), [days])
  // Axes and legend settle in several steps, each of which would draw all bars anew.
  const drawn = useDeferredValue(data, NO_DAYS)
  return (
    <Section
      title="Activity"
      about={`Days in UTC, from the first ${complete ? 'visit' : 'of these visits'} to today, which is not over yet and pale. A score has the colour of its band.${data.length === DAYS_MAX ? ' Only the latest year is shown.' : ''}`}
    >
      <div aria-hidden="true">
        <BarChart
          h={200}
          data={drawn}
          dataKey="label"
          series={[
            { name: 'identifications', label: 'Identifications', color: 'indigo.6' },
            { name: 'highest_score', label: 'Highest score', color: 'gray.6', yAxisId: 'right' },
          ]}
          getBarColor={(value, { name }) =>
            name === 'highest_score' ? `${BAND_COLORS[bandOf(value ?? 0)]}.6` : 'indigo.6'
          }
          withRightYAxis
          yAxisProps={{ allowDecimals: false }}
          rightYAxisProps={{ domain: [0, 100] }}
          xAxisProps={{ minTickGap: 24, ticks: ticksOf(data) }}
          withLegend
          maxBarWidth={32}
          barProps={{ shape: barShape }}
          // Screen readers get the table below instead.
          barChartProps={{ accessibilityLayer: false }}
        />
      </div>
      <DaysTable days={data} />
    </Section>
  )
}

/** The width of each name that may stand below the bars is measured in the page. */
const NAMED_DAYS_MAX = 16

/** Names of some of many days, as far from each other, the last among them. */
function ticksOf(days: readonly NamedDay[]): string[] {
  const step = Math.ceil(days.length / NAMED_DAYS_MAX)
  return days.flatMap(({ label }, index) => ((days.length - 1 - index) % step === 0 ? [label] : []))
}

const NUMBERS = ['Identifications', 'Highest score']

const DaysTable = ({ days }: { days: readonly NamedDay[] }) => (
  <Accordion variant="contained" keepMounted={false}>
    <Accordion.Item value="days">
      <Accordion.Control>Activity as a table</Accordion.Control>
      <Accordion.Panel>
        <ScrollTable
          label="Activity as a table"
          head={['Day (UTC)', ...NUMBERS]}
          numeric={NUMBERS}
          verticalSpacing={4}
        >
          {days.map(({ day, label, identifications, highest_score }) => (
            <Table.Tr key={day}>
              <Table.Th scope="row">{label}</Table.Th>
              <Table.Td ta="right">{countText(identifications)}</Table.Td>
              <Table.Td ta="right">
                {identifications === 0 ? 'none' : <HighestScore score={highest_score} />}
              </Table.Td>
            </Table.Tr>
          ))}
        </ScrollTable>
      </Accordion.Panel>
    </Accordion.Item>
  </Accordion>
)
