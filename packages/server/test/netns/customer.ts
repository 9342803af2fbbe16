import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Explanation, HistoryRow } from '@inkling/contract'
import type { NetworkEvidence } from '../../src/visit/network-evidence.ts'
import { first, type Namespace } from './namespace.ts'

/** A visit as returned by History. */
export interface Visit {
  row: HistoryRow
  explanation: Omit<Explanation, 'network'> & { network: NetworkEvidence }
}

export interface CustomerSettings {
  agentUrl: string
  historyUrl: string
  publicKey: string
  apiKey: string
  hookPort: number
  certFile: string | undefined
  keyFile: string | undefined
}

export interface Customer {
  /** The first visit of an account, once its event has arrived with the final score. */
  visit(account: string): Promise<Visit>
  /** Polls the visit until `isAsExpected`. */
  revisit(requestId: string, isAsExpected: (visit: Visit) => boolean): Promise<Visit>
}

const PROGRAM = fileURLToPath(new URL('customer-program.ts', import.meta.url))

export async function openCustomer(namespace: Namespace, settings: CustomerSettings): Promise<Customer> {
  const program = namespace.start(process.execPath, [PROGRAM, JSON.stringify(settings)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: {
      ...process.env,
      ...(settings.certFile !== undefined && { NODE_EXTRA_CA_CERTS: settings.certFile }),
    },
  })
  await first(program, once(program, 'message'))

  const received: Visit[] = []
  program.on('message', (visit: Visit) => received.unshift(visit))
  /** Checks all visits so far and future ones, the latest first. */
  async function find(matches: (visit: Visit) => boolean, again = () => {}): Promise<Visit> {
    for (;;) {
      const found = received.find(matches)
      if (found) return found
      const next = first(program, once(program, 'message'))
      again()
      await next
    }
  }
  return {
    visit: (account) => find(({ row }) => row.user_hid === account),
    revisit: (requestId, isAsExpected) =>
      find(
        (visit) => visit.row.request_id === requestId && isAsExpected(visit),
        () => program.send(requestId),
      ),
  }
}
