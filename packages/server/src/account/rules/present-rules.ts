import { ownWeightMax, SIGNAL_CATALOGUE, type SignalName, TUNABLE_SIGNALS } from '@inkling/contract'
import type { DomainRules } from '@inkling/contract/account'
import { DEFAULT_RULES, withOwnWeights } from '../../score/rules.ts'
import { SIGNALS } from '../../score/signals/index.ts'
import { domainRulesStore, readWeights } from '../../store/domains/domain-rules.ts'
import type { Store } from '../../store/store.ts'
import { presentTime } from '../present-time.ts'

const NAMES = Object.keys(SIGNAL_CATALOGUE) as SignalName[]
const MEANINGS = new Map(SIGNALS.map(({ name, meaning }) => [name, meaning]))

/** What scores the visits of a domain now, and every version that was saved. */
export async function presentRules({ reads }: Store, domainId: number): Promise<DomainRules> {
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
  return {
    name,
    title: entry.title,
    meaning: MEANINGS.get(name) ?? '',
    flag: 'flag' in entry ? entry.flag : null,
    release_weight: DEFAULT_RULES.weights[name],
    weight,
    max: TUNABLE_SIGNALS.includes(name) ? ownWeightMax(name) : null,
  }
}
