import { BAND_NAMES, BANDS } from '@inkling/contract'
import '@mantine/charts/styles.css'
import type { Overview } from '@inkling/contract/account'
import { BarChart, LineChart } from '@mantine/charts'
import { Accordion, SegmentedControl, SimpleGrid, Table } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { BAND_COLORS } from '../../parts/badges.tsx'
import { countText, scoreText, shareText } from '../../parts/format.tsx'
import { ScrollTable, Section } from '../../parts/layout.tsx'
import { barShape, isOpen, openLabel } from '../../parts/open-bucket.tsx'
import { BAND_LABELS } from '../../parts/score-words.ts'
import { scoreScale } from './score-scale.ts'

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

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Among all visits the risky ones can hardly be seen; as shares they have a scale of their own. */
type BandScale = 'count' | 'share'

type Bands = Overview['buckets'][number]['bands']

function sharesOf(bands: Bands): Bands {
  const all = BAND_NAMES.reduce((sum, band) => sum + bands[band], 0)
  return Object.fromEntries(BAND_NAMES.map((band) => [band, all === 0 ? 0 : bands[band] / all])) as Bands
}

/** How the numbers developed over the range. */
export function Charts({ domain, overview: { bucket, buckets } }: { domain: string; overview: Overview }) {
  const nowMs = Date.now()
  const [scale, setScale] = useState<BandScale>('count')
  const navigate = useNavigate()
  const openBar = (index: number): void => {
    const from = buckets[index]?.from
    if (from === undefined) return
    const to = new Date(Date.parse(from) + (bucket === 'hour' ? HOUR_MS : DAY_MS)).toISOString()
    void navigate({ to: '/d/$domain/identifications', params: { domain }, search: { from, to } })
  }
  const data = buckets.map(({ from, bands, ...counts }) => ({
    label: openLabel(from, bucket, nowMs),
    open: isOpen(from, bucket, nowMs),
    ...counts,
    ...bands,
  }))
  const open = data.find((point) => point.open)
  const shared = {
    h: HEIGHT,
    data,
    dataKey: 'label',
    withLegend: true,
    xAxisProps: { minTickGap: 24 },
  }
  const lines = {
    ...shared,
    curveType: 'linear' as const,
    lineChartProps: NO_ACCESSIBILITY_LAYER,
    // A line has no pale part, so a mark stands where the numbers still grow.
    referenceLines: open ? [{ x: open.label, color: 'gray.6', strokeDasharray: '2 4' }] : [],
  }
  const averages = buckets.map(({ average_score }) => average_score)
  const { end, ticks } = scoreScale(averages)
  const per = bucket === 'hour' ? 'per hour' : 'per day (UTC)'
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }}>
      <Section
        title="Identifications by band"
        about={`All identifications ${per}; a bar leads to its visits.${openNote(open)}`}
      >
        <SegmentedControl
          aria-label="What the bars show"
          size="xs"
          value={scale}
          data={[
            { value: 'count', label: 'Counts' },
            { value: 'share', label: 'Share at risk' },
          ]}
          onChange={(chosen) => setScale(chosen as BandScale)}
        />
        <AriaHidden>
          <BarChart
            {...shared}
            data={scale === 'count' ? data : data.map((point) => ({ ...point, ...sharesOf(point) }))}
            type="stacked"
            series={BAND_NAMES.filter((band) => scale === 'count' || band !== 'trusted').map((band) => ({
              name: band,
              label: BAND_LABELS[band],
              color: `${BAND_COLORS[band]}.6`,
            }))}
            valueFormatter={scale === 'count' ? countText : shareText}
            yAxisProps={{ allowDecimals: scale === 'share' }}
            barProps={{ shape: barShape, cursor: 'pointer' }}
            barChartProps={{
              ...NO_ACCESSIBILITY_LAYER,
              onClick({ activeTooltipIndex: index }) {
                // Beside the bars there is none.
                if (index !== null && index !== undefined) openBar(Number(index))
              },
            }}
          />
        </AriaHidden>
      </Section>
      <Section
        title="Average risk"
        about={`Average score ${per}; this scale ends at ${end} of 100. Rate-limited visits are left out.`}
      >
        <AriaHidden>
          <LineChart
            {...lines}
            series={[{ name: 'average_score', label: 'Average risk', color: 'indigo.6' }]}
            yAxisProps={{ domain: [0, end], ticks: [...ticks], tickFormatter: String }}
            referenceLines={[...lines.referenceLines, ...bandLines(end)]}
            valueFormatter={scoreText}
            // Hours and days without visits have no average, and a point between two of them is no line.
            connectNulls={false}
            withDots={averages.length <= DOTS_MAX || averages.includes(null)}
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
              {...lines}
              series={series}
              valueFormatter={countText}
              yAxisProps={{ allowDecimals: false }}
              withDots={false}
            />
          </AriaHidden>
        </Section>
      ))}
    </SimpleGrid>
  )
}

/** More would hide the line. */
const DOTS_MAX = 31

const openNote = (open: { label: string } | undefined): string =>
  open ? ' The last one is pale: it is not over yet.' : ''

/** Where the bands begin, as far as the scale shows them. */
const bandLines = (end: number) =>
  (['suspicious', 'dangerous'] as const)
    .filter((band) => BANDS[band].from < end)
    .map((band) => ({
      y: BANDS[band].from,
      label: `${BAND_LABELS[band]} from ${BANDS[band].from}`,
      color: `${BAND_COLORS[band]}.8`,
    }))

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
              <Table.Th scope="row">{openLabel(counts.from, bucket, Date.now())}</Table.Th>
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
