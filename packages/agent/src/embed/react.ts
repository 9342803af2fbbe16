import { useCallback, useEffect, useRef, useState } from 'react'
import type { CheckResult } from '../check.ts'
import { type IdentifyOptions, identify } from './identify.ts'

export type RequestId = (CheckResult | { readonly status: 'pending' }) & {
  /** Identifies again, as after a submit, because a request ID counts once. */
  renew(): void
}

const PENDING = { status: 'pending' } as const

/**
 * Identifies when the component appears, and again when an option changes.
 *
 * @example
 * const identification = useRequestId({ agentUrl, publicKey, force: true })
 * const requestId = identification.status === 'initialized' ? identification.requestID : ''
 */
export function useRequestId({ agentUrl, publicKey, retries, userHid, force }: IdentifyOptions): RequestId {
  const [round, setRound] = useState(0)
  const [answered, setAnswered] = useState<{ key: string; result: CheckResult }>()
  // As text, because pages pass a new object with equal options at each render.
  const options = { agentUrl, publicKey, retries, userHid, force: force || round > 0 }
  const key = JSON.stringify([options, round])
  const started = useRef<{ key: string; result: Promise<CheckResult> }>(undefined)

  useEffect(() => {
    let gone = false
    // Strict mode runs effects twice, and the second identification would be refused as too soon.
    if (started.current?.key !== key) started.current = { key, result: identify(JSON.parse(key)[0]) }
    void started.current.result.then((result) => {
      if (!gone) setAnswered({ key, result })
    })
    return () => {
      gone = true
    }
  }, [key])

  const renew = useCallback(() => setRound((before) => before + 1), [])
  return { ...(answered?.key === key ? answered.result : PENDING), renew }
}
