import {
  DECISION_PURPOSES,
  DecisionPurpose,
  DecisionRuleState,
  DecisionRuleText,
  presentTime,
} from '@inkling/contract'
import { DECISION_RULES_MAX, DecisionBackTestStart } from '@inkling/contract/account'
import { Argument, Command } from 'commander'
import { z } from 'zod'
import { compileCondition } from '../decide/compile-condition.ts'
import { READY_MADE_SETS } from '../decide/ready-made-rules.ts'
import { qualityOf } from '../jobs/decision-back-test/label-agreement.ts'
import { testDecisionRules } from '../jobs/decision-back-test/test-decision-rules.ts'
import { AppError } from '../lib/errors.ts'
import {
  type DecisionRuleRow,
  decisionRuleStore,
  readDecisionRule,
} from '../store/decision-rules/decision-rules.ts'
import { auditStore, COMMAND_LINE } from '../store/users/users.ts'
import { INTEGER, isJson, parsedBy, print, withProgress } from './command-line.ts'
import { problemsOf, readJsonFile } from './read-input.ts'
import { inSession, type Session } from './session.ts'

/** `inkling rules`: what a domain decides by. */
export function decisionRulesCommand(): Command {
  const command = new Command('rules').description('the rules by which a domain decides')
  command
    .command('list <domain>')
    .description('list the rules of a domain')
    .action(async (name: string, _options, self: Command) => {
      const rows = await inSession(async ({ store, domain }) =>
        decisionRuleStore(store.reads).list((await domain(name)).id),
      )
      print(rows.map(presentRule), isJson(self))
    })
  command
    .command('check <condition>')
    .description('check a condition; the first problem is told with its place')
    .action((condition: string, _options, self: Command) => {
      checkConditions([{ condition }])
      print({ valid: true }, isJson(self))
    })
  addSavingCommands(command)
  addTestCommand(command)
  return command
}

function addSavingCommands(command: Command): void {
  command
    .command('add <domain> <file>')
    .description('add the rules of a JSON file, all or none; - reads standard input')
    .action(async (name: string, file: string, _options, self: Command) => {
      const texts = await readRules(file)
      print(await addRules(name, texts), isJson(self))
    })
  command
    .command('add-set <domain>')
    .addArgument(new Argument('<set>', 'what the rules are for').choices(READY_MADE_SETS.map(({ id }) => id)))
    .description('add a ready-made set of rules in shadow')
    .action(async (name: string, id: string, _options, self: Command) => {
      const texts = READY_MADE_SETS.filter((set) => set.id === id).flatMap(({ rules }) =>
        rules.map((rule) => ({ ...rule, state: 'shadow' as const })),
      )
      print(await addRules(name, texts), isJson(self))
    })
  command
    .command('state')
    .argument('<domain>')
    .argument('<rule>', 'number of the rule', parsedBy(INTEGER))
    .argument('<state>', 'off, shadow or on', parsedBy(DecisionRuleState))
    .description('turn a rule on or off, or let it run in shadow')
    .action(async (name: string, rule: number, state: DecisionRuleState, _options, self: Command) => {
      const changed = await saving(
        name,
        (row: DecisionRuleRow) => ({ action: 'decision_rules.change', detail: auditDetail(row) }),
        async (rules, id) => (await rules.change(id, rule, { state }, author())) ?? noRule(name, rule),
      )
      print(presentRule(changed), isJson(self))
    })
  command
    .command('remove')
    .argument('<domain>')
    .argument('<rule>', 'number of the rule', parsedBy(INTEGER))
    .description('remove a rule')
    .action(async (name: string, rule: number, _options, self: Command) => {
      await saving(
        name,
        () => ({ action: 'decision_rules.remove', detail: { rule } }),
        async (rules, id) => (await rules.remove(id, rule)) || noRule(name, rule),
      )
      print({ removed: rule }, isJson(self))
    })
}

interface TestOptions {
  purpose: DecisionPurpose
  rules?: string
  only?: boolean
  decisions?: boolean
  days: number
  visits: number
}

function addTestCommand(command: Command): void {
  command
    .command('test <domain>')
    .description('decide stored visits with the rules in shadow, and those of a file, as if they were on')
    .requiredOption('--purpose <purpose>', DECISION_PURPOSES.join(', '), parsedBy(DecisionPurpose))
    .option('--rules <file>', 'JSON file with rules to try; - reads standard input')
    .option('--decisions', 'ask again what your backend asked, instead of about all visits')
    .option('--only', 'decide by the rules of the file alone')
    .option('--days <days>', 'days back from now', parsedBy(INTEGER), 7)
    .option('--visits <visits>', 'number of visits, the newest of these days', parsedBy(INTEGER), 10_000)
    .action(async (name: string, options: TestOptions, self: Command) => {
      const report = await withProgress({ label: 'visits', json: isJson(self) }, (progress) =>
        backTest(name, options, progress),
      )
      print(report, isJson(self))
    })
}

async function backTest(
  name: string,
  { purpose, rules, only = false, decisions = false, days, visits }: TestOptions,
  progress: (done: number, total: number) => void,
): Promise<object> {
  const texts = rules === undefined ? [] : await readRules(rules)
  const { data: request, error } = DecisionBackTestStart.safeParse({
    ...{ purpose, rules: texts, keep: !only, days, visits },
    source: decisions ? 'decisions' : 'visits',
  })
  if (error) throw new AppError('INK_COMMAND', problemsOf(error))
  const { report } = await inSession(async ({ store, domain }) =>
    testDecisionRules(store, (await domain(name)).id, request, {
      untilMs: Date.now(),
      onProgress: ({ total, report: soFar }) => progress(soFar.visits, total),
    }),
  )
  return {
    ...{ visits: report.visits, changed: report.changed, actions: report.matrix },
    rules: [...report.rules.values()],
    labels: {
      fraud: report.labels.fraud,
      legitimate: report.labels.legitimate,
      before: qualityOf(report.labels, report.labels.before),
      after: qualityOf(report.labels, report.labels.after),
    },
  }
}

const author = () => ({ actor: COMMAND_LINE, nowMs: Date.now() })

async function addRules(name: string, texts: readonly DecisionRuleText[]): Promise<object[]> {
  const added = await saving(
    name,
    (rows: DecisionRuleRow[]) => ({
      action: 'decision_rules.add',
      detail: { rules: JSON.stringify(rows.map(auditDetail)) },
    }),
    async (rules, id) => {
      const rows: DecisionRuleRow[] = []
      for (const text of texts) {
        const row = await rules.add(id, text, author())
        if (!row) throw new AppError('INK_COMMAND', `a domain has at most ${DECISION_RULES_MAX} rules`)
        rows.push(row)
      }
      return rows
    },
  )
  return added.map(presentRule)
}

/** Without the condition: it may name people, and nothing is erased from the audit log. */
const auditDetail = ({ rule_id, name, version }: DecisionRuleRow) => ({ rule: rule_id, name, version })

/** Makes a change and records it. */
function saving<Made>(
  name: string,
  entryOf: (made: Made) => { action: string; detail: Record<string, string | number> },
  make: (rules: ReturnType<typeof decisionRuleStore>, domainId: number) => Promise<Made>,
): Promise<Made> {
  return inSession(async ({ store, domain }: Session) => {
    const { id } = await domain(name)
    return store.writes.transaction().execute(async (transaction) => {
      const made = await make(decisionRuleStore(transaction), id)
      await auditStore(transaction).add({ ...entryOf(made), actor: COMMAND_LINE, target: name }, Date.now())
      return made
    })
  })
}

function noRule(domain: string, rule: number): never {
  throw new AppError(
    'INK_COMMAND',
    `the domain ${domain} has no rule ${rule}; inkling rules list ${domain} lists them`,
  )
}

async function readRules(file: string): Promise<DecisionRuleText[]> {
  const rules = await readJsonFile(file, z.array(DecisionRuleText), 'INK_COMMAND')
  checkConditions(rules)
  return rules
}

function checkConditions(rules: readonly { name?: string; condition: string }[]): void {
  const problems = rules.flatMap(({ name, condition }) => {
    const compiled = compileCondition(condition)
    if (compiled.valid) return []
    const { message, line, column } = compiled.problem
    return [`${name === undefined ? '' : `${name}: `}line ${line}, column ${column}: ${message}`]
  })
  if (problems.length > 0) throw new AppError('INK_COMMAND', problems.join('\n'))
}

function presentRule(row: DecisionRuleRow): object {
  const { id, version, name, state, priority, effect, purposes, condition } = readDecisionRule(row)
  return {
    ...{ id, version, name, state, priority },
    effect: 'action' in effect ? effect.action : `${effect.points} points up to ${effect.cap}`,
    purposes: purposes?.join(' ') ?? 'all',
    condition,
    saved_at: presentTime(row.created_at),
  }
}
