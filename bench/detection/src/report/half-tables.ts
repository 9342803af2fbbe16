import { FAMILIES, type Family } from '../families.ts'
import { type Answer, caughtAlways, type Judged } from './judge-all.ts'
import { markdownTable } from './markdown-table.ts'
import { rateOf, rateText } from './rate.ts'

const FLAGGED: readonly Answer[] = [(run) => run.flaggedAtLoad, (run) => run.flagged]
const HEAD = ['family', 'half', 'at load', 'after the form']

const NAMES = Object.keys(FAMILIES) as Family[]
const ofFamily = (judged: readonly Judged[], family: Family): Judged[] =>
  judged.filter(({ configuration }) => configuration.family === family)

const caught = (judged: readonly Judged[], answer: Answer): string =>
  rateText(rateOf(judged.map((one) => caughtAlways(one, answer))))

/** Configurations that were caught in every run, by family and by half. */
export function halvesTable(judged: readonly Judged[]): string {
  const families = NAMES.map((name) => {
    const { title, half } = FAMILIES[name]
    return [title, half, ...FLAGGED.map((answer) => caught(ofFamily(judged, name), answer))]
  })
  const halves = (['fit', 'judge'] as const).map((half) => {
    const own = judged.filter(({ configuration: { family } }) => family && FAMILIES[family].half === half)
    return ['**together**', half, ...FLAGGED.map((answer) => caught(own, answer))]
  })
  return markdownTable(HEAD, [...families, ...halves])
}

/** What was not caught in every run, and why. */
export function missedList(judged: readonly Judged[]): string {
  const lines = judged
    .filter((one) => caughtAlways(one, (run) => run.flagged) === false)
    .map(
      ({ configuration: { id, title, missedBecause = 'not known' } }) =>
        `- ${title} (\`${id}\`): ${missedBecause}.`,
    )
  return lines.length === 0 ? 'None.' : lines.join('\n')
}

/** What was not caught in every run before any input. */
export function missedAtLoad(judged: readonly Judged[]): string {
  const ids = judged
    .filter((one) => caughtAlways(one, (run) => run.flaggedAtLoad) === false)
    .map(({ configuration: { id } }) => `\`${id}\``)
  return ids.length === 0 ? 'none.' : `${ids.join(', ')}.`
}

/** What a reader of the page's console as a verdict by itself, which fpscanner takes it for, would add at load. */
export function addedByReaders(judged: readonly Judged[]): string {
  const own = judged.filter(
    ({ configuration: { family } }) => family !== undefined && FAMILIES[family].half === 'judge',
  )
  const ids = own
    .filter((one) => caughtAlways(one, (run) => run.flaggedAtLoad) === false)
    .filter((one) => caughtAlways(one, (run) => run.fpscanner) === true)
    .map(({ configuration: { id } }) => `\`${id}\``)
  const together = rateOf(own.map((one) => caughtAlways(one, (run) => run.flaggedAtLoad || run.fpscanner)))
  return `${ids.join(', ')}: ${together.hits} of ${together.of}`
}
