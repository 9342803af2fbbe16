import { BAND_NAMES } from '@inkling/contract'
import '@mantine/charts/styles.css'
import type { Overview } from '@inkling/contract/account'
import { BarChart, LineChart } from '@mantine/charts'
import { Accordion, SimpleGrid, Table } from '@mantine/core'
import type { ReactNode } from 'react'
import { BAND_COLORS, BAND_LABELS } from '../../parts/badges.tsx'
import { bucketLabel, countText, scoreText } from '../../parts/format.tsx'
import { ScrollTable, Section } from '../../parts/layout.tsx'

/** Screen readers get the table below the charts instead. */
const NO_ACCESSIBILITY_LAYER = { accessibilityLayer: false }
const HEIGHT = 220

const DISTINCT_COUNTS = [
  {
    title: 'Visitors',
    series: [
      { name: 'visitors', label: 'Visitors', color: 'indigo.6' },
      { name: 'new_visitors', label: 'New visitors', color: 'orange.6' },
    ],
  },
  {
    title: 'Devices',
    series: [
      { name: 'devices', label: 'Devices', color: 'indigo.6' },
      { name: 'new_devices', label: 'New devices', color: 'orange.6' },
    ],
  },
]

/** How the numbers developed over the range. */
export function Charts({ overview: { bucket, buckets } }: { overview: Overview }) {
  const data = buckets.map(({ from, bands, ...counts }) => ({
    label: bucketLabel(from, bucket),
    ...counts,
    ...bands,
  }))
  const shared = {
    h: HEIGHT,
    data,
    dataKey: 'label',
    withLegend: true,
    xAxisProps: { minTickGap: 24 },
  }
  // On its first day a domain has one point, which is no line: show the dot.
  const isSinglePoint = buckets.filter(({ average_score }) => average_score !== null).length === 1
  const per = bucket === 'hour' ? 'per hour' : 'per day (UTC)'
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }}>
      <Section title="Identifications by band" about={`All identifications ${per}.`}>
        <AriaHidden>
          <BarChart
            {...shared}
            type="stacked"
            series={BAND_NAMES.map((band) => ({
              name: band,
              label: BAND_LABELS[band],
              color: `${BAND_COLORS[band]}.6`,
            }))}
            valueFormatter={countText}
            barChartProps={NO_ACCESSIBILITY_LAYER}
          />
        </AriaHidden>
      </Section>
      <Section
        title="Average risk"
        about={`Average score ${per}, from 0 to 100. Rate-limited visits are left out.`}
      >
        <AriaHidden>
          <LineChart
            curveType="linear"
            {...shared}
            series={[{ name: 'average_score', label: 'Average risk', color: 'red.6' }]}
            yAxisProps={{ domain: [0, 100] }}
            valueFormatter={scoreText}
            connectNulls
            withDots={isSinglePoint}
            lineChartProps={NO_ACCESSIBILITY_LAYER}
          />
        </AriaHidden>
      </Section>
      {DISTINCT_COUNTS.map(({ title, series }) => (
        <Section
          key={title}
          title={title}
          about={`Distinct ${title.toLowerCase()} ${per}, counted exactly. New means no earlier identification is stored.`}
        >
          <AriaHidden>
            <LineChart
              curveType="linear"
              {...shared}
              series={series}
              valueFormatter={countText}
              withDots={false}
              lineChartProps={NO_ACCESSIBILITY_LAYER}
            />
          </AriaHidden>
        </Section>
      ))}
    </SimpleGrid>
  )
}

const AriaHidden = ({ children }: { children: ReactNode }) => <div aria-hidden="true">{children}</div>

/** The data of the charts, for screen readers and for exact values. */
export const NumbersTable = ({ overview: { bucket, buckets } }: { overview: Overview }) => (
  <Accordion variant="contained">
    <Accordion.Item value="numbers">
      <Accordion.Control>Charts as a table</Accordion.Control>
      <Accordion.Panel>
        <ScrollTable
          label="Charts as a table"
          head={[bucket === 'hour' ? 'Hour' : 'Day (UTC)', ...NUMBERS]}
          numeric={NUMBERS}
          miw={900}
          verticalSpacing={4}
        >
          {buckets.map((counts) => (
            <Table.Tr key={counts.from}>
              <Table.Th scope="row">{bucketLabel(counts.from, bucket)}</Table.Th>
              {numbersOf(counts).map((text, index) => (
                <Table.Td key={NUMBERS[index]} ta="right">
                  {text}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </ScrollTable>
      </Accordion.Panel>
    </Accordion.Item>
  </Accordion>
)

const NUMBERS = [
  'Identifications',
  'Average risk',
  ...BAND_NAMES.map((band) => BAND_LABELS[band]),
  'Visitors',
  'New visitors',
  'Devices',
  'New devices',
]

const numbersOf = (counts: Overview['buckets'][number]): string[] => [
  countText(counts.identifications),
  scoreText(counts.average_score),
  ...BAND_NAMES.map((band) => countText(counts.bands[band])),
  countText(counts.visitors),
  countText(counts.new_visitors),
  countText(counts.devices),
  countText(counts.new_devices),
]
