import { median } from '../../../src/lib/samples.ts'
import { markdownTable } from '../report/markdown-table.ts'
import type { MoveCost } from './measure-moves.ts'

export interface InputCosts {
  version: string
  machine: string
  loadAverage: number
  /** ISO 8601, UTC. */
  at: string
  seconds: number
  /** Of each page, the costs of every round, in the order of the rounds. */
  pages: { name: string; rounds: MoveCost[][] }[]
}

/** The report as Markdown. The first page has no listener; the others are compared with it. */
export function inputReport({ version, machine, loadAverage, at, seconds, pages }: InputCosts): string {
  const [bare] = pages
  const rates = bare?.rounds[0]?.map(({ rate }) => rate) ?? []
  const rounds = bare?.rounds.length ?? 0
  const rows = rates.flatMap((rate) =>
    pages.map((page) => {
      const task = sharesOf(page.rounds, rate, 'task')
      const base = sharesOf(bare?.rounds ?? [], rate, 'task')
      const added = task.map((share, round) => share - (base[round] ?? Number.NaN))
      return [
        page.name,
        String(rate),
        spread(task),
        spread(sharesOf(page.rounds, rate, 'script')),
        page === bare ? '' : spread(added),
      ]
    }),
  )
  return `# What the agent costs while the mouse moves

Measured by \`npm run bench:input\`. The mouse moves in a circle over a page for ${seconds} seconds at each rate, in headless
Chromium. The figures are the processor time of the page's main thread as a share of one core, from the browser's own
counters. Time in which the thread waited for a processor is not in them.

- **No listener**: what the browser does for each move by itself.
- **Empty listener**: one passive \`pointermove\` listener that does nothing. The browser then makes an event for each
  frame, whoever listens.
- **Inkling**: after its visit was sent and its late readings were taken, with its listeners in place, which the program
  checks before it measures.
- **Added**: the difference from the page without a listener in the same round.

Each figure is the median of ${rounds} rounds, in which the pages take turns, with the lowest and the highest. Of six rounds,
these two enclose the true median with 97 % confidence. The goal is an added share below 1 %.

${version}; ${at.slice(0, 10)}; ${machine}; load average before it ${loadAverage}.

${markdownTable(['page', 'moves a second', 'main thread', 'of it JavaScript', 'added'], rows)}

One machine without a GPU and an otherwise empty page. Clicks and keys were not measured, nor was
Firefox, which has no such counters.
`
}

const sharesOf = (rounds: readonly MoveCost[][], rate: number, part: 'task' | 'script'): number[] =>
  rounds.flatMap((costs) => costs.filter((cost) => cost.rate === rate).map((cost) => cost[part]))

const percent = (share: number): string => `${(share * 100).toFixed(2)} %`.replace('-', '−')

const spread = (shares: readonly number[]): string =>
  `${percent(median(shares))} (${percent(Math.min(...shares))} to ${percent(Math.max(...shares))})`
