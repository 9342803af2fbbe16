import type { Configuration } from '../configuration.ts'
import { markdownTable } from './markdown-table.ts'
import { rateOf, rateText } from './rate.ts'

export interface HoneytokenRun {
  configuration: Configuration
  /** Undefined if there was no verdict. */
  answer: string | undefined
  score: number | undefined
  isHit: boolean
}

interface Measured {
  runs: readonly HoneytokenRun[]
  /** ISO 8601, UTC. */
  at: string
  versions: readonly string[]
  machine: string
}

export function honeytokenReport({ runs, at, versions, machine }: Measured): string {
  const of = (kind: Configuration['kind']) => runs.filter(({ configuration }) => configuration.kind === kind)
  const hits = (some: readonly HoneytokenRun[]) =>
    rateText(rateOf(some.map(({ answer, isHit }) => (answer === undefined ? undefined : isHit))))
  return `# Honeytokens

Measured by \`npm run bench:honeytokens\` on ${at.slice(0, 10)}, one run each: the controls of
[the detection benchmark](detection.md), and programs that fill in every field or follow every link, on its page with
[honeytokens](../in-the-page.md#honeytokens). \`bench/detection/README.md\` describes the method. The answer is that of the
signal [\`honeytoken\`](../signals/honeytoken.md) after the form was sent; the score is that of all signals.

${versions.join(', ')}; ${machine}.

| | hits |
| --- | --- |
| controls | ${hits(of('control'))} |
| programs | ${hits(of('automation'))} |

Brackets hold Wilson's 95 % interval. So few controls bound the rate of people loosely: that is why the signal weighs too
little to make a visit suspicious alone.

## Programs

${table(of('automation'))}

Playwright's \`fill\` inserts a text without keys, as form fillers do, and its click is not a script's. That is unknown.

## Controls

${table(of('control'))}

## Autofill, keys and screen readers

${AUTOFILL}
`
}

const table = (runs: readonly HoneytokenRun[]): string =>
  markdownTable(
    ['configuration', 'answer', 'score'],
    runs.map(({ configuration: { id, title }, answer, score }) => [
      `${title} (\`${id}\`)`,
      answer ?? 'not measured',
      String(score ?? ''),
    ]),
  )

/** Looked at once, on 2026-11-24: what opens the menus of browsers has no place in a benchmark. */
const AUTOFILL = `Looked at once, with the same versions, in a window on a desktop. Chromium's autofill of an address was started over the
DevTools protocol, that of Firefox from its menu.

| | Chromium | Firefox |
| --- | --- | --- |
| its own autofill of an address, seven fields filled | honeytoken empty | honeytoken empty |
| its password manager, filled when the page opens | honeytoken empty | honeytoken empty |
| Tab through the page | never there | never there |
| in the tree that screen readers are given | not there | not there |
| axe 4.14 | no violation by it | no violation by it |

Password managers of other makers, phones and Safari were not looked at. The field asks managers to leave it alone, in the
words of four of them, and is of no kind that they know. What they fill in all the same is no hit, unless they also send the
form before anybody has touched the page.`
