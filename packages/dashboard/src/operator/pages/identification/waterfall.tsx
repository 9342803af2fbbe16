import { BANDS, bandOf, type ExplainedEntry, SIGNAL_CATALOGUE, signalTitle } from '@inkling/contract'
import { Text, VisuallyHidden } from '@mantine/core'
import type { z } from 'zod'
import { Evidence } from '../../parts/evidence.tsx'
import { Section } from '../../parts/layout.tsx'
import { BAND_LABELS } from '../../parts/score-words.ts'
import { SignalLink } from '../../parts/signal-link.tsx'
import classes from './waterfall.module.css'

interface WaterfallProps {
  domain: string
  score: number
  entries: readonly Entry[]
}

/** How the score adds up, signal by signal. */
export function Waterfall({ domain, score, entries }: WaterfallProps) {
  const steps = waterfallSteps(entries)
  const end = axisEnd(steps)
  const sum = steps.at(-1)?.to ?? 0
  return (
    <Section
      title="Score"
      about={
        bandOf(score) === 'rate_limited'
          ? 'The address was over the rate limit, so this visit was not scored.'
          : `${score} of 100, ${BAND_LABELS[bandOf(score)].toLowerCase()}${sum > score ? `: the signals add up to ${sum}, but a score is at most 100` : ''}.`
      }
    >
      {entries.length === 0 ? (
        <Text size="sm">No signals were found.</Text>
      ) : (
        <ol className={classes.steps}>
          {steps.map((step) => (
            <StepRow
              key={`${step.entry.name} ${step.entry.description}`}
              domain={domain}
              step={step}
              end={end}
            />
          ))}
        </ol>
      )}
    </Section>
  )
}

interface StepRowProps {
  domain: string
  step: Step
  end: number
}

const StepRow = ({ domain, step: { entry, from, to }, end }: StepRowProps) => (
  <li className={classes.step}>
    <div className={classes.head}>
      <span className={entry.suppressed_by === undefined ? undefined : classes.suppressed}>
        {entry.title}
      </span>
      <span className={classes.points}>{pointsText(entry)}</span>
    </div>
    <div className={classes.track} aria-hidden="true">
      <div
        className={classes.bar}
        data-kind={kindOf(entry, to)}
        style={{
          marginLeft: `${(Math.min(from, to) / end) * 100}%`,
          width: `${(Math.abs(to - from) / end) * 100}%`,
        }}
      />
    </div>
    <Text size="sm" className="dim">
      {entry.suppressed_by === undefined
        ? entry.description
        : `${entry.description}. Not counted (${entry.weight} points): ${reasonText(entry.suppressed_by)}.`}
    </Text>
    <Evidence evidence={entry.evidence} />
    {Object.hasOwn(SIGNAL_CATALOGUE, entry.name) && (
      <Text size="sm">
        <SignalLink domain={domain} name={entry.name}>
          Innocent causes
        </SignalLink>
        <VisuallyHidden> of {entry.title}</VisuallyHidden>
      </Text>
    )}
  </li>
)

/** An agent that has proven who it is causes some signals by itself. */
const reasonText = (suppressedBy: string): string =>
  suppressedBy === 'declared_agent'
    ? 'the agent has proven who it is'
    : `already covered by ${signalTitle(suppressedBy)}`

/** A bar has the colour of the band that the total has reached with it: 10 points are no alarm. */
function kindOf({ value, suppressed_by }: Entry, total: number): string {
  if (suppressed_by !== undefined) return 'suppressed'
  return value < 0 ? 'correction' : bandOf(Math.min(total, BANDS.dangerous.to))
}

function pointsText({ value, suppressed_by }: Entry): string {
  if (suppressed_by !== undefined) return 'suppressed'
  if (value === 0) return 'informational'
  return value > 0 ? `+${value}` : `−${-value}`
}

export type Entry = z.infer<typeof ExplainedEntry>

interface Step {
  entry: Entry
  /** The running total before and after this entry. */
  from: number
  to: number
}

/** Where each bar starts and ends: every entry continues from the running total. */
export function waterfallSteps(entries: readonly Entry[]): Step[] {
  let sum = 0
  return entries.map((entry) => {
    const from = sum
    sum += entry.value
    return { entry, from, to: sum }
  })
}

/** The end of the axis, in points. */
export const axisEnd = (steps: readonly Step[]): number =>
  Math.max(100, ...steps.map(({ from, to }) => Math.max(from, to)))
