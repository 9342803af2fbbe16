import { randomBytes } from 'node:crypto'
import { onTestFinished } from 'vitest'
import {
  openTurnResponder,
  type RequestSighting,
  type TurnMessage,
  type TurnResponder,
} from '../src/observe/turn/turn-responder.ts'

export interface TestResponder {
  responder: TurnResponder
  /** Clocks that only the test moves. */
  clock: { nowMs: number; monotonicMs: number }
  /** Grows with each sighting. */
  seen: RequestSighting[]
  /** Grows with each message, whatever its result. */
  messages: TurnMessage[]
}

/** A responder with its own secret, closed at the end of the test. */
export async function temporaryResponder({ host = '127.0.0.1', port = 0 } = {}): Promise<TestResponder> {
  const clock = { nowMs: 1_800_000_000_000, monotonicMs: 1000 }
  const seen: RequestSighting[] = []
  const messages: TurnMessage[] = []
  const responder = await openTurnResponder({
    host,
    port,
    secret: randomBytes(32),
    now: () => clock.nowMs,
    monotonicMs: () => clock.monotonicMs,
    onSighting: (sighting) => seen.push(sighting),
    onMessage: (message) => messages.push(message),
  })
  let open = true
  const close = async () => {
    if (open) await responder.close()
    open = false
  }
  onTestFinished(close)
  return { responder: { ...responder, close }, clock, seen, messages }
}
