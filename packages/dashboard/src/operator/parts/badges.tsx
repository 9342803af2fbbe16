import { type Band, bandOf, LITTLE_EVIDENCE } from '@inkling/contract'
import { Badge, type BadgeProps, Group } from '@mantine/core'
import type { ReactNode } from 'react'

/** Shown as words as well, so that colour is never the only sign. */
export const BAND_LABELS: Record<Band, string> = {
  trusted: 'Trusted',
  suspicious: 'Suspicious',
  dangerous: 'Dangerous',
  rate_limited: 'Rate limited',
}

export const BAND_COLORS: Record<Band, string> = {
  trusted: 'teal',
  suspicious: 'yellow',
  dangerous: 'red',
  rate_limited: 'gray',
}

interface StatusBadgeProps extends Omit<BadgeProps, 'color' | 'variant' | 'className'> {
  /** The band whose colours it has. */
  tone: Band
  children: ReactNode
}

/** A state in one or two words. */
export const StatusBadge = ({ tone, ...rest }: StatusBadgeProps) => (
  <Badge
    variant="light"
    color={BAND_COLORS[tone]}
    tt="none"
    // As wide as its words, however narrow its column is.
    miw="max-content"
    className={`band-${tone}`}
    {...rest}
  />
)

interface ScoreBadgeProps {
  score: number
  /** How much is known of the visit, 0 to 1; undefined where that was not judged. */
  evidence?: number | undefined
  size?: NonNullable<BadgeProps['size']>
}

/** A visit without findings of which hardly anything is known has earned no trust: its tone is neutral. */
export function ScoreBadge({ score, evidence = 1, size = 'md' }: ScoreBadgeProps) {
  const band = bandOf(score)
  const isLittleKnown = band === 'trusted' && evidence < LITTLE_EVIDENCE
  return (
    <StatusBadge tone={isLittleKnown ? 'rate_limited' : band} size={size}>
      {band === 'rate_limited' ? BAND_LABELS[band] : `${score} ${BAND_LABELS[band]}`}
      {isLittleKnown && ', little known'}
    </StatusBadge>
  )
}

/** Said beside a value, such as that it was changed. */
export const Tag = ({ children }: { children: string }) => (
  <Badge size="xs" variant="default" tt="none">
    {children}
  </Badge>
)

interface NamesProps {
  names: readonly string[]
  /** Of the outline; without one it is neutral. */
  color?: string
}

/** Names in a row that wraps. */
export const Names = ({ names, color }: NamesProps) =>
  names.length === 0 ? (
    'none'
  ) : (
    <Group gap={4}>
      {names.map((name) => (
        <Badge
          key={name}
          {...(color === undefined ? { variant: 'default' } : { variant: 'outline', color, c: 'inherit' })}
          tt="none"
          fw={500}
        >
          {name}
        </Badge>
      ))}
    </Group>
  )
