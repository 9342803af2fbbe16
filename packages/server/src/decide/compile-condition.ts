import { CONDITION_LENGTH_MAX } from '@inkling/contract'
import { Environment } from '@marcbachmann/cel-js'
import { contextOf, FACT_SCHEMA } from './condition-facts.ts'
import type { DecisionFacts } from './decision-facts.ts'

/** What is wrong with a condition, and where; line and column count from 1. */
export interface ConditionProblem {
  message: string
  line: number
  column: number
}

export type CompiledCondition =
  | { valid: true; meets: (facts: DecisionFacts) => boolean }
  | { valid: false; problem: ConditionProblem }

const DEPTH_MAX = 32
const NODES_MAX = 500
const LIST_MAX = 100
/** One step is about a tenth of a microsecond. */
const STEPS_MAX = 2_000
/** Of a method, which may look through a text of the greatest length. */
const METHOD_STEPS = 5
/** These take time in proportion to what they look at, which is bounded. Regular expressions would not. */
const FUNCTIONS = new Set(['has', 'size', 'int', 'double', 'string'])
const METHODS = new Set(['size', 'startsWith', 'endsWith', 'contains', 'lowerAscii', 'upperAscii', 'trim'])
const QUANTIFIERS = new Set(['exists', 'exists_one', 'all'])

const ENVIRONMENT = new Environment({
  limits: {
    maxAstNodes: NODES_MAX,
    maxDepth: DEPTH_MAX,
    maxListElements: LIST_MAX,
    maxMapEntries: 0,
    maxCallArguments: 4,
  },
})
for (const [name, type] of Object.entries(FACT_SCHEMA)) {
  if (typeof type === 'string') ENVIRONMENT.registerVariable(name, type)
  else ENVIRONMENT.registerVariable({ name, schema: type })
}

/** Reads and checks a condition. It never throws: any text is either a condition or has a problem. */
export function compileCondition(source: string): CompiledCondition {
  try {
    if (source.length > CONDITION_LENGTH_MAX)
      throw new Refused(`longer than ${CONDITION_LENGTH_MAX} characters`, CONDITION_LENGTH_MAX)
    const evaluate = ENVIRONMENT.parse(source)
    const root = evaluate.ast as unknown as Node
    checkForms(root, false)
    const { valid, type, error } = evaluate.check()
    if (!valid) throw error
    if (type !== 'bool' && type !== 'dyn<bool>')
      throw new Refused(`a condition is true or false, and this is of type ${readableType(type ?? '')}`, 0)
    checkOperands(root)
    if (stepsOf(root) > STEPS_MAX)
      throw new Refused('takes too many steps; look at lists less often', root.start)
    return {
      valid: true,
      meets(facts) {
        const met = attempt(source, () => evaluate(contextOf(facts)))
        if (typeof met === 'boolean') return met
        throw new Error(`“${quoted(source)}” is unknown for this visit`)
      },
    }
  } catch (error) {
    return { valid: false, problem: problemOf(source, error) }
  }
}

/** A part of a condition, as the library describes it. */
interface Node {
  op: string
  args: unknown
  start: number
  end: number
  pos?: number
  checkedType?: { name: string; kind: string; unwrappedType: { name: string; kind: string } }
}

/** What the language allows and conditions do not. */
class Refused extends Error {
  readonly start: number
  constructor(message: string, start: number) {
    super(message)
    this.start = start
  }
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'op' in value

function partsOf({ args }: Node): Node[] {
  if (isNode(args)) return [args]
  if (!Array.isArray(args)) return []
  return args.flatMap((part: unknown) =>
    Array.isArray(part) ? part.filter(isNode) : isNode(part) ? [part] : [],
  )
}

/** Refuses what has no bound in time or memory, before anything is checked or evaluated. */
function checkForms(node: Node, inQuantifier: boolean): void {
  const { op, args, start } = node
  if (op === 'map') throw new Refused('conditions have no maps of their own', start)
  if (op === 'call') checkCall(node)
  const method = op === 'rcall' ? (args as [string])[0] : undefined
  const isQuantifier = method !== undefined && QUANTIFIERS.has(method)
  if (method !== undefined && !isQuantifier && !METHODS.has(method))
    throw new Refused(`conditions have no function ${method}`, start)
  if (isQuantifier && inQuantifier) throw new Refused(`${method} within another one`, start)
  for (const part of partsOf(node)) checkForms(part, inQuantifier || isQuantifier)
}

/** @param item the name of an item that is known not to be a list itself */
function stepsOf(node: Node, item?: string): number {
  const { op, args } = node
  const parts = partsOf(node)
  const all = (some: readonly Node[], name = item): number =>
    some.reduce((steps, part) => steps + stepsOf(part, name), 0)
  const [left, right] = parts
  if (left && right && (op === '==' || op === '!=')) return all(parts) + equalitySteps(left, right, item)
  if (left && right && op === 'in') return all(parts) + searchSteps(left, right, item)
  if (op !== 'rcall') return all(parts) + 1
  if (!QUANTIFIERS.has((args as [string])[0])) return all(parts) + METHOD_STEPS
  const [list, variable, ...body] = parts
  if (!list) return 1
  const length = list.op === 'list' ? partsOf(list).length : LIST_MAX
  // A list among the facts holds no lists.
  const name = list.op === '.' && variable ? String(variable.args) : undefined
  return all([list], undefined) + length * (1 + all(body, name))
}

const equalitySteps = (left: Node, right: Node, item: string | undefined): number =>
  mayBeList(left, item) && mayBeList(right, item) ? LIST_MAX : 1

function searchSteps(left: Node, right: Node, item: string | undefined): number {
  if (right.op === 'list')
    return partsOf(right).reduce((steps, part) => steps + equalitySteps(left, part, item), 1)
  const isFact = right.op === '.'
  const holdsTexts = right.checkedType?.name === 'list<string>'
  return isFact || holdsTexts || !mayBeList(left, item) ? LIST_MAX : LIST_MAX * LIST_MAX
}

function mayBeList({ op, args, checkedType }: Node, item: string | undefined): boolean {
  if (op === 'id' && args === item) return false
  const kind = checkedType?.unwrappedType.kind
  return kind === undefined || kind === 'list' || kind === 'dyn'
}

function checkCall({ args, start }: Node): void {
  const [name, given] = args as [string, Node[]]
  if (!FUNCTIONS.has(name)) throw new Refused(`conditions have no function ${name}`, start)
  // The type check does not look into `has`, where a misspelt fact would never be met.
  if (name === 'has' && given[0] && !isOwnField(given[0]))
    throw new Refused('has is for fields of your own; compare other facts with null', start)
}

function isOwnField({ op, args }: Node): boolean {
  const [object] = Array.isArray(args) ? (args as unknown[]) : []
  return op === '.' && isNode(object) && object.op === 'id' && object.args === 'fields'
}

/** Refuses what the type check lets pass. */
function checkOperands(node: Node): void {
  for (const part of partsOf(node)) checkOperands(part)
  const [left, right] = partsOf(node)
  if (node.op === '+' && left && right) checkSum(node, left, right)
  if (node.op === '==' || node.op === '!=' || node.op === 'in') checkComparison(node, left, right)
}

/** Lists would grow with every sum. Of two open types, both may be lists. */
function checkSum({ start }: Node, left: Node, right: Node): void {
  const types = [left, right].map(({ checkedType }) => checkedType?.unwrappedType.name ?? 'dyn')
  const known = types.filter((type) => !isOpen(type))
  if (
    known.length > 0 &&
    (known.every((type) => NUMBERS.has(type)) || known.every((type) => type === 'string'))
  )
    return
  throw new Refused('+ is for numbers and texts; say which with int(…), double(…) or string(…)', start)
}

/** The type check lets a fact that may be null be equal to anything. */
function checkComparison({ op, start }: Node, left: Node | undefined, right: Node | undefined): void {
  const known = left?.checkedType?.unwrappedType
  const type = right?.checkedType?.unwrappedType
  const other = op === 'in' ? elementOf(type) : type?.name
  if (!known || other === undefined || [known.name, other].some(isOpen) || known.name === other) return
  if (NUMBERS.has(known.name) && NUMBERS.has(other)) return
  throw new Refused(`${known.name} is never equal to ${other}`, start)
}

const NUMBERS = new Set(['int', 'double', 'uint'])
const isOpen = (name: string): boolean => name === 'dyn' || name === 'null'
const elementOf = (type: { name: string } | undefined): string | undefined =>
  /^list<(?:dyn<)?([^<>]+)>*$/.exec(type?.name ?? '')?.[1]

function attempt(source: string, evaluate: () => unknown): unknown {
  try {
    return evaluate()
  } catch (cause) {
    const { summary, range } = readProblem(cause)
    if (summary.startsWith('No such key')) throw new Error(summary, { cause })
    const part = quoted(range ? source.slice(range.start, range.end) : source)
    const problem = /\bnull\b/.test(summary) ? ' needs a fact that is unknown' : `: ${summary}`
    throw new Error(`“${part}”${problem}`, { cause })
  }
}

const QUOTED_MAX = 80
const quoted = (text: string): string => (text.length > QUOTED_MAX ? `${text.slice(0, QUOTED_MAX)}…` : text)

interface LibraryProblem {
  summary: string
  range?: { start: number; end: number } | undefined
}

function readProblem(error: unknown): LibraryProblem {
  if (error instanceof Refused)
    return { summary: error.message, range: { start: error.start, end: error.start } }
  if (error instanceof RangeError) return { summary: 'too deep', range: undefined }
  const { summary, message, range } = error as Partial<LibraryProblem> & Error
  return { summary: summary ?? message, range }
}

function problemOf(source: string, error: unknown): ConditionProblem {
  const { summary, range } = readProblem(error)
  const before = source.slice(0, Math.min(range?.start ?? 0, source.length)).split('\n')
  return { message: readableType(summary), line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
}

/** Without the library's own notation. */
const readableType = (text: string): string =>
  text.replaceAll(/dyn<([a-z]+)>/g, '$1').replaceAll(/\$(\w)/g, '$1')
