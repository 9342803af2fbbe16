import { BarChart, LineChart } from '@mantine/charts'
import '@mantine/charts/styles.css'
import { BAND_NAMES, type Overview } from '@inkling/contract/account'
import { SimpleGrid } from '@mantine/core'
import type { ReactNode } from 'react'
import { BAND_COLORS, BAND_LABELS } from '../../parts/band.tsx'
import { Section } from '../../parts/section.tsx'
import { bucketLabel } from './bucket-label.ts'
import { countText, scoreText } from './numbers.ts'

/** Silent to screen readers: `Numbers` says the same in a table. */
const SILENT = { accessibilityLayer: false }
const HEIGHT = 220

const PEOPLE = [
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

/** The range over time. */
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
  // A line needs two ends: on its first day a domain has one.
  const isAlone = buckets.filter(({ average_score }) => average_score !== null).length === 1
  const per = bucket === 'hour' ? 'by the hour' : 'by the day, in UTC'
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }}>
      <Section title="Identifications by band" about={`All identifications, ${per}.`}>
        <Silent>
          <BarChart
            {...shared}
            type="stacked"
            series={BAND_NAMES.map((band) => ({
              name: band,
              label: BAND_LABELS[band],
              color: `${BAND_COLORS[band]}.6`,
            }))}
            valueFormatter={countText}
            barChartProps={SILENT}
          />
        </Silent>
      </Section>
      <Section title="Average risk" about={`Of a scale from 0 to 100, rate-limited ones aside, ${per}.`}>
        <Silent>
          <LineChart
            curveType="linear"
            {...shared}
            series={[{ name: 'average_score', label: 'Average risk', color: 'red.6' }]}
            yAxisProps={{ domain: [0, 100] }}
            valueFormatter={scoreText}
            connectNulls
            withDots={isAlone}
            lineChartProps={SILENT}
          />
        </Silent>
      </Section>
      {PEOPLE.map(({ title, series }) => (
        <Section
          key={title}
          title={title}
          about={`Different ones, counted exactly, ${per}. New: without an earlier identification among those that are kept.`}
        >
          <Silent>
            <LineChart
              curveType="linear"
              {...shared}
              series={series}
              valueFormatter={countText}
              withDots={false}
              lineChartProps={SILENT}
            />
          </Silent>
        </Section>
      ))}
    </SimpleGrid>
  )
}

const Silent = ({ children }: { children: ReactNode }) => <div aria-hidden="true">{children}</div>
