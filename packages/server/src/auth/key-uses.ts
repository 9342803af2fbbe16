import { HOUR_MS } from '../lib/durations.ts'
import { apiKeyStore } from '../store/domains/api-keys.ts'
import type { Store } from '../store/store.ts'

/** When named API keys were used last, to the hour, so that a request costs no write. */
export interface KeyUses {
  used(domainId: number, id: string): void
  /** Writes what is new since. */
  flush(): Promise<void>
}

interface Use {
  domainId: number
  id: string
  hourMs: number
  written: boolean
}

export function createKeyUses({ store, now }: { store: Pick<Store, 'writes'>; now(): number }): KeyUses {
  // As many as there are keys.
  const uses = new Map<string, Use>()
  return {
    used(domainId, id) {
      const hourMs = Math.floor(now() / HOUR_MS) * HOUR_MS
      if (uses.get(id)?.hourMs !== hourMs) uses.set(id, { domainId, id, hourMs, written: false })
    },

    async flush() {
      for (const use of uses.values()) {
        if (use.written) continue
        await apiKeyStore(store.writes).recordUse(use.domainId, use.id, use.hourMs)
        use.written = true
      }
    },
  }
}
