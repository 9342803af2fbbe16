import { Text } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { useApiQuery } from '../../api/use-api.ts'
import { Section } from '../../parts/layout.tsx'
import type { TimeRange } from './overview-search.ts'

/** The outlines of all countries load with the map alone. Without them the rest of the page still works. */
const WorldMap = lazy(async () => {
  try {
    const { WorldMap } = await import('./world-map.tsx')
    return { default: WorldMap }
  } catch {
    return { default: NotLoaded }
  }
})

const NotLoaded = () => (
  <Text className="dim">The map could not be loaded. The table of countries below has the same numbers.</Text>
)

/** As many as the API gives; beyond are countries with next to no visits. */
const COUNTRIES_MAX = 100
const REFRESH_MS = 60_000

interface CountriesMapProps {
  domain: string
  range: TimeRange
}

export function CountriesMap({ domain, range }: CountriesMapProps) {
  const query = { ...range, dimension: 'country' as const, limit: COUNTRIES_MAX }
  const { data } = useApiQuery(
    'getOverviewValues',
    { params: { domain }, query },
    { refetchInterval: REFRESH_MS },
  )
  if (!data || data.values.length === 0) return null
  return (
    <Section
      title="World map"
      about="Visits by country of the address. Choose a country for its visits; the table of countries below has the same."
    >
      <div style={{ aspectRatio: '800 / 380' }}>
        <Suspense>
          <WorldMap domain={domain} countries={data} />
        </Suspense>
      </div>
    </Section>
  )
}
