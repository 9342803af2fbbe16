import { Text } from '@mantine/core'
import { BAND_LABELS, bandOf } from '../../parts/band.tsx'
import { Section } from '../../parts/section.tsx'
import { Evidence } from './evidence.tsx'
import classes from './waterfall.module.css'
import { axisEnd, type Entry, type Step, waterfallSteps } from './waterfall-steps.ts'

interface WaterfallProps {
  score: number
  entries: readonly Entry[]
}

/** What the score consists of, signal by signal. */
export function Waterfall({ score, entries }: WaterfallProps) {
  const steps = waterfallSteps(entries)
  const end = axisEnd(steps)
  const sum = steps.at(-1)?.to ?? 0
  return (
    <Section
      title="Score"
      about={
        bandOf(score) === 'rate_limited'
          ? 'The address sent too much, so this visit was not looked at.'
          : `${score} of 100, ${BAND_LABELS[bandOf(score)].toLowerCase()}${sum > score ? `: the signals add up to ${sum}, and a score ends at 100` : ''}.`
      }
    >
      {entries.length === 0 ? (
        <Text size="sm">No signal was raised.</Text>
      ) : (
        <ol className={classes.steps}>
          {steps.map((step) => (
            <StepRow key={`${step.entry.name} ${step.entry.description}`} step={step} end={end} />
          ))}
        </ol>
      )}
    </Section>
  )
}

const StepRow = ({ step: { entry, from, to }, end }: { step: Step; end: number }) => (
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
        data-kind={kindOf(entry)}
        style={{
          marginLeft: `${(Math.min(from, to) / end) * 100}%`,
          width: `${(Math.abs(to - from) / end) * 100}%`,
        }}
      />
    </div>
    <Text size="sm" className="dim">
      {entry.suppressed_by === undefined
        ? entry.description
        : `${entry.description}. Suppressed: ${entry.suppressed_by.replaceAll('_', ' ')} stands in for it, of ${entry.weight} points none are counted.`}
    </Text>
    <Evidence evidence={entry.evidence} />
  </li>
)

function kindOf({ value, suppressed_by }: Entry): string {
  if (suppressed_by !== undefined) return 'suppressed'
  return value < 0 ? 'correction' : 'added'
}

function pointsText({ value, suppressed_by }: Entry): string {
  if (suppressed_by !== undefined) return 'suppressed'
  if (value === 0) return 'informational'
  return value > 0 ? `+${value}` : `−${-value}`
}
