import { BarChart } from '@mantine/charts'
import '@mantine/charts/styles.css'
import type { EntityDay } from '@inkling/contract/account'
import { VisuallyHidden } from '@mantine/core'
import { Section } from '../../parts/section.tsx'

/** Visits and the highest score of each day. */
export const Timeline = ({ days }: { days: readonly EntityDay[] }) => (
  <Section title="Days" about="Days with identifications, in UTC.">
    <div aria-hidden="true">
      <BarChart
        h={200}
        data={days.map(({ day, identifications, highest_score }) => ({
          day,
          identifications,
          highest_score,
        }))}
        dataKey="day"
        series={[
          { name: 'identifications', label: 'Identifications', color: 'indigo.6' },
          { name: 'highest_score', label: 'Highest score', color: 'red.6', yAxisId: 'right' },
        ]}
        withRightYAxis
        withLegend
        maxBarWidth={32}
        // Silent: the list below says the same to those who do not see it.
        barChartProps={{ accessibilityLayer: false }}
      />
    </div>
    <VisuallyHidden>
      <ul>
        {days.map(({ day, identifications, highest_score }) => (
          <li key={day}>
            {day}: {identifications} identifications, highest score {highest_score}
          </li>
        ))}
      </ul>
    </VisuallyHidden>
  </Section>
)
