import type { BandName, EntitySummary } from '@inkling/contract/account'
import { BAND_NAMES } from '@inkling/contract/account'
import { Group, Progress, Stack, Text } from '@mantine/core'
import { BAND_COLORS, BAND_LABELS } from '../../parts/band.tsx'

/** How many visits were in each band. */
export function Bands({ bands }: { bands: EntitySummary['bands'] }) {
  const all = Object.values(bands).reduce((sum, count) => sum + count, 0)
  return (
    <Stack gap="xs">
      {BAND_NAMES.map((band: BandName) => (
        <div key={band}>
          <Group justify="space-between">
            <Text size="sm">{BAND_LABELS[band]}</Text>
            <Text size="sm" className="mono">
              {bands[band]}
            </Text>
          </Group>
          <Progress
            value={all === 0 ? 0 : (bands[band] / all) * 100}
            color={BAND_COLORS[band]}
            aria-label={`${BAND_LABELS[band]}: ${bands[band]} of ${all}`}
          />
        </div>
      ))}
    </Stack>
  )
}
