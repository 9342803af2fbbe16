import {
  ownWeightMax,
  presentTime,
  SIGNAL_CATALOGUE,
  type SignalName,
  TUNABLE_SIGNALS,
} from '@inkling/contract'
import type { DomainRules, BackTest as PresentedBackTest, RULE_OPERATIONS } from '@inkling/contract/account'
import type { WeightsBackTests } from '../jobs/rescore/weights-back-tests.ts'
import { AppError } from '../lib/errors.ts'
import { DEFAULT_RULES, withOwnWeights } from '../score/rules.ts'
import { SIGNALS } from '../score/signals/index.ts'
import { domainRulesStore, readWeights } from '../store/domains/domain-rules.ts'
import type { Store } from '../store/store.ts'
import { recordChange } from './audit.ts'
import { findDomain } from './domains.ts'
import type { Handlers } from './handler.ts'

export const ruleOperations: Handlers<typeof RULE_OPERATIONS> = {
  getRules: async ({ params }, { store }) => presentRules(store, (await findDomain(store, params.domain)).id),

  saveRules: async ({ params, body, caller }, deps) => {
    const { id, name } = await findDomain(deps.store, params.domain)
    const detail = { weights: JSON.stringify(body.weights), note: body.note }
    const entry = { actor: caller.email, action: 'rules.save', target: name, detail }
    await recordChange(deps, entry, (transaction) =>
      domainRulesStore(transaction).save(id, { ...body, actor: caller.email }, deps.now()),
    )
    return presentRules(deps.store, id)
  },

  chooseRules: async ({ params, body, caller }, deps) => {
    const { id, name } = await findDomain(deps.store, params.domain)
    const detail = { version: body.version ?? 'release' }
    const entry = { actor: caller.email, action: 'rules.choose', target: name, detail }
    const chosen = await recordChange(deps, entry, async (transaction) =>
      (await domainRulesStore(transaction).choose(id, body.version)) ? true : undefined,
    )
    if (!chosen) throw new AppError('INK_NOT_FOUND', 'no such version')
    return presentRules(deps.store, id)
  },

  startBackTest: async ({ params, body }, { store, backTests }) => {
    const test = await backTests.start(await findDomain(store, params.domain), body)
    if (!test) throw new AppError('INK_BACK_TEST_RUNNING')
    return presentBackTest(test)
  },

  getBackTest: async ({ params }, { store, backTests }) => {
    const test = await backTests.latest((await findDomain(store, params.domain)).id)
    return { back_test: test ? presentBackTest(test) : null }
  },

  cancelBackTest: async ({ params }, { store, backTests }) => {
    await backTests.cancel((await findDomain(store, params.domain)).id)
    return undefined
  },
}

const NAMES = Object.keys(SIGNAL_CATALOGUE) as SignalName[]
const DEFINITIONS = new Map(SIGNALS.map((signal) => [signal.name, signal]))

/** The weights that score a domain's visits now, and every saved version. */
async function presentRules({ reads }: Store, domainId: number): Promise<DomainRules> {
  const versions = await domainRulesStore(reads).list(domainId)
  const active = versions.find((row) => row.active === 1)
  const { weights, suppressions } = withOwnWeights(
    active && { version: active.version, weights: readWeights(active) },
  )
  return {
    active: active?.version ?? null,
    signals: NAMES.map((name) => presentSignal(name, weights[name])),
    suppressions: suppressions.map(({ by, silences }) => ({
      by,
      silences: NAMES.filter((name) => name !== by && silences(name)),
    })),
    versions: versions.map((row) => ({
      version: row.version,
      saved_at: presentTime(row.created_at),
      actor: row.actor,
      note: row.note,
      weights: readWeights(row),
    })),
  }
}

function presentSignal(name: SignalName, weight: number): DomainRules['signals'][number] {
  const entry = SIGNAL_CATALOGUE[name]
  const definition = DEFINITIONS.get(name)
  return {
    name,
    title: entry.title,
    meaning: definition?.meaning ?? '',
    evidence: definition?.evidence ?? '',
    innocent_causes: [...(definition?.innocentCauses ?? [])],
    flag: 'flag' in entry ? entry.flag : null,
    release_weight: DEFAULT_RULES.weights[name],
    weight,
    max: TUNABLE_SIGNALS.includes(name) ? ownWeightMax(name) : null,
  }
}

type WeightsTest = NonNullable<Awaited<ReturnType<WeightsBackTests['latest']>>>

const presentBackTest = ({ state, error, startedAtMs, body }: WeightsTest): PresentedBackTest => ({
  ...body,
  state,
  error,
  started_at: presentTime(startedAtMs),
})
