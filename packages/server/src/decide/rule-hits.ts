import { DAY_MS } from '../lib/durations.ts'
import { type RuleHitRow, ruleHitStore } from '../store/decision-rules/rule-hits.ts'
import type { Store } from '../store/store.ts'
import type { Decision } from './decide.ts'

/** Counts how often rules met. In memory first: a decision does not wait for another one that counts the same rule. */
export interface RuleHits {
  count(domainId: number, decision: Pick<Decision, 'met' | 'failed'>): void
  /** Writes what was counted since. */
  flush(): Promise<void>
}

interface RuleHitsDeps {
  store: Pick<Store, 'writes'>
  now(): number
  /** The time that has passed in truth: a clock that jumps ahead must remove no hits. See `lib/slewed-clock.ts`. */
  slewedNow(): number
}

export function createRuleHits({ store, now, slewedNow }: RuleHitsDeps): RuleHits {
  let counted = new Map<string, RuleHitRow>()
  let cleanedDay = 0
  const today = (): number => Math.floor(now() / DAY_MS) * DAY_MS

  function add(row: RuleHitRow): void {
    const key = `${row.domain_id} ${row.rule_id} ${row.day} ${row.state}`
    const known = counted.get(key)
    if (!known) counted.set(key, { ...row })
    else {
      known.met += row.met
      known.failed += row.failed
    }
  }

  return {
    count(domainId, { met, failed }) {
      const day = today()
      for (const { rule, state } of met)
        add({ domain_id: domainId, rule_id: rule, day, state, met: 1, failed: 0 })
      for (const { rule, state } of failed)
        add({ domain_id: domainId, rule_id: rule, day, state, met: 0, failed: 1 })
    },

    async flush() {
      const rows = [...counted.values()]
      counted = new Map()
      try {
        await store.writes
          .transaction()
          .execute((transaction) => ruleHitStore(transaction).add(inOrder(rows)))
      } catch (error) {
        for (const row of rows) add(row)
        throw error
      }
      if (cleanedDay === today()) return
      cleanedDay = today()
      await ruleHitStore(store.writes).removeOlder(slewedNow())
    },
  }
}

/** The same order in every process, so that two of them never wait for each other. */
const inOrder = (rows: RuleHitRow[]): RuleHitRow[] =>
  rows.sort((a, b) => a.domain_id - b.domain_id || a.rule_id - b.rule_id || a.day - b.day)
