import { type FigureName, MEASURED } from './measured.ts'
import { type Demand, type Line, planCapacity } from './plan.ts'

const USUAL = {
  peakFactor: 3,
  events: 1,
  decisions: 0.1,
  proofs: 1,
  newDevices: 0.1,
  snapshots: true,
  largestDomain: 0.2,
  // What `bench:capacity` says of a billion a day.
  visitsPerCommit: 3.1,
  load: 0.6,
} as const satisfies Partial<Demand>

/** Those that the guide works out. */
export const EXAMPLES = {
  'a laptop': { ...USUAL, visitsPerDay: 1_000_000, retentionDays: 30, engine: { name: 'sqlite' } },
  'ten million a day': {
    ...USUAL,
    visitsPerDay: 10_000_000,
    retentionDays: 90,
    engine: { name: 'postgres' },
  },
  'a billion a day': {
    ...USUAL,
    visitsPerDay: 1_000_000_000,
    retentionDays: 30,
    engine: { name: 'citus', workers: 8 },
  },
  'a fifth of it': { ...USUAL, visitsPerDay: 200_000_000, retentionDays: 30, engine: { name: 'postgres' } },
} as const satisfies Record<string, Demand>

const SCALES = [
  [1e15, 'P'],
  [1e12, 'T'],
  [1e9, 'G'],
  [1e6, 'M'],
  [1e3, 'k'],
] as const
const WHOLE = ['machines', 'connections']

/** An amount with its unit, to two digits: no figure behind it is better. */
export function showAmount({ amount, unit }: Pick<Line, 'amount' | 'unit'>): string {
  const isWhole = WHOLE.includes(unit)
  const rounded = isWhole ? amount : Number(amount.toPrecision(2))
  if (!unit.startsWith('bytes')) {
    const name = unit === 'machines' || unit === 'connections' || unit === 'rows' ? '' : ` ${unit}`
    return `${rounded.toLocaleString('en')}${rounded === 1 ? name.replace(/s$/, '') : name}`
  }
  const [divisor, prefix] = SCALES.find(([least]) => rounded >= least) ?? [1, '']
  return `${(rounded / divisor).toLocaleString('en')} ${prefix}B${unit === 'bytes/s' ? '/s' : ''}`
}

/** The examples side by side, as in the guide. */
export function examplesTable(): string {
  const plans = Object.values(EXAMPLES).map(planCapacity)
  const names = [...new Set(plans.flatMap(({ lines }) => lines.map(({ name }) => name)))]
  const rows = names.map((name) => [
    name,
    ...plans.map(({ lines }) => {
      const found = lines.find((line) => line.name === name)
      return found ? showAmount(found) : ''
    }),
  ])
  const obstacles = plans.map(({ obstacles }) => obstacles.join('; '))
  const last = obstacles.some((text) => text !== '') ? [['not possible because', ...obstacles]] : []
  return table([['', ...Object.keys(EXAMPLES)], ...rows, ...last])
}

/** Every figure with where it comes from, as in the guide. */
export function figuresTable(): string {
  const rows = Object.keys(MEASURED).map((name) => {
    const { what, value, unit, command, date, note } = MEASURED[name as FigureName]
    const source = command.startsWith('npm') ? `\`${command}\`` : command
    return [what, `${value.toLocaleString('en')} ${unit}`.trim(), source, date, note]
  })
  return table([['figure', 'value', 'measured with', 'on', ''], ...rows])
}

function table(rows: readonly (readonly string[])[]): string {
  const [head = [], ...rest] = rows
  const lines = [head, head.map(() => '---'), ...rest]
  return lines.map((cells) => `| ${cells.join(' | ')} |`.replaceAll('  ', ' ')).join('\n')
}
