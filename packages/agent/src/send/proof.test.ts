import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openProver } from './proof.ts'

const TICKET = 'a'.repeat(96)

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('asks again for a ticket that did not come, and gives up after a refusal or two seconds', async () => {
  const ticketOf = async (...answers: (Response | Error)[]) => {
    const asked = vi.fn(async () => {
      const answer = answers.length > 1 ? answers.shift() : answers[0]
      if (answer instanceof Response) return answer.clone()
      throw answer
    })
    vi.stubGlobal('fetch', asked)
    const { ticket } = openProver('https://inkling.example/ticket', 'id')
    await vi.advanceTimersByTimeAsync(60_000)
    return [await ticket, asked.mock.calls.length]
  }
  const lost = new TypeError('network')
  expect(await ticketOf(lost, new Response('', { status: 503 }), new Response(TICKET))).toEqual([TICKET, 3])
  expect(await ticketOf(new Response('', { status: 404 }))).toEqual(['', 1])
  expect(await ticketOf(lost)).toEqual(['', 4])
})
