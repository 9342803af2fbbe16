import { BANDS, type BandName } from '@inkling/contract/account'
import { Badge, type BadgeProps } from '@mantine/core'

/** Words, so that the colour is never the only sign. */
export const BAND_LABELS: Record<BandName, string> = {
  trusted: 'Trusted',
  suspicious: 'Suspicious',
  dangerous: 'Dangerous',
  rate_limited: 'Rate limited',
}

export const BAND_COLORS: Record<BandName, string> = {
  trusted: 'teal',
  suspicious: 'yellow',
  dangerous: 'red',
  rate_limited: 'gray',
}

/** The contract's bands; a score outside of all of them is shown as the first one. */
export const bandOf = (score: number): BandName =>
  (Object.keys(BANDS) as BandName[]).find((name) => score >= BANDS[name].from && score <= BANDS[name].to) ??
  'trusted'

interface ScoreProps {
  score: number
  size?: BadgeProps['size']
}

export function ScoreBadge({ score, size = 'md' }: ScoreProps) {
  const band = bandOf(score)
  return (
    <Badge variant="light" color={BAND_COLORS[band]} size={size} tt="none" className={`band-${band}`}>
      {band === 'rate_limited' ? BAND_LABELS[band] : `${score} ${BAND_LABELS[band]}`}
    </Badge>
  )
}
