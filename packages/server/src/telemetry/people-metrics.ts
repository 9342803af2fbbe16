import { Counter, type Registry } from 'prom-client'
import type { SignInMethod, SignInResult } from '../auth/sign-in-record.ts'

/** Sign-ins to the dashboard, and data that leaves through it. */
export function peopleMetrics(registry: Registry) {
  const signIns = new Counter({
    name: 'inkling_sign_ins_total',
    help: 'Attempts to sign in to the dashboard, by method and result',
    labelNames: ['method', 'result'],
    registers: [registry],
  })
  const exports = new Counter({
    name: 'inkling_exports_total',
    help: 'Exports of identifications through the dashboard',
    labelNames: ['what'],
    registers: [registry],
  })
  for (const result of ['succeeded', 'failed', 'locked', 'refused'])
    signIns.inc({ method: 'password', result }, 0)
  for (const what of ['identifier', 'identifications']) exports.inc({ what }, 0)

  return {
    signInEnded(method: SignInMethod, result: SignInResult): void {
      signIns.inc({ method, result })
    },
    exported(what: 'identifier' | 'identifications'): void {
      exports.inc({ what })
    },
  }
}
