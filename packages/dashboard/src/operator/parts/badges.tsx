import type { Band } from '@inkling/contract'
import { Badge, type BadgeProps, Group } from '@mantine/core'
import type { ReactNode } from 'react'
import { NOT_SCORED, scoreWords } from './score-words.ts'

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
  /** How much is known of the visit, 0 to 1; undefined where the page does not know that. */
  evidence?: number | undefined
  size?: NonNullable<BadgeProps['size']>
}

/** A score with the word for its band. */
export function ScoreBadge({ score, evidence, size = 'md' }: ScoreBadgeProps) {
  const words = scoreWords(score, evidence)
  return (
    <StatusBadge tone={words.tone} size={size}>
      {[words.score, words.said].filter((part) => part !== undefined).join(' ')}
    </StatusBadge>
  )
}

/** The highest score of several visits; null where none of them was scored. */
export const HighestScore = ({ score }: { score: number | null }) =>
  score === null ? NOT_SCORED : <ScoreBadge score={score} />

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
