import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Receiver, startWebhookReceiver } from '../webhook-receiver.ts'
import { type Belongings, fillDomain, standingClock, viewOfOurs } from './belongings.ts'
import { type GuardedServer, OTHER, startGuardedServer } from './guarded-server.ts'
import { otherDomainOperation } from './other-domain-operations.ts'

/** Two domains of one server: neither can read or change data of the other. */

let server: GuardedServer
let ours: Belongings
let receiver: Receiver & { close(): void }
let theirs: Receiver & { close(): void }
beforeAll(async () => {
  server = await startGuardedServer({ now: standingClock })
  receiver = await startWebhookReceiver()
  theirs = await startWebhookReceiver()
  ours = await fillDomain(server, receiver)
  await server.account('POST', `/account/domains/${OTHER}/endpoints`, { body: { url: theirs.url } })
})
afterAll(async () => {
  await server?.close()
  receiver?.close()
  theirs?.close()
})

test('no sequence of operations by a domain shows or changes data of another', async () => {
  const before = await viewOfOurs(server, ours)
  // An empty view would never change.
  for (const [path, text] of Object.entries(before)) expect(text, path).toMatch(/\w{4}/)
  const delivered = receiver.received.length
  await fc.assert(
    fc.asyncProperty(
      fc.array(otherDomainOperation(ours), { minLength: 5, maxLength: 25 }),
      async (operations) => {
        for (const { label, run } of operations) {
          const { sent, text } = await run(server)
          const shown = ours.marks.filter((mark) => text.includes(mark) && !sent.includes(mark))
          expect(shown, label).toEqual([])
        }
        for (const [path, text] of Object.entries(await viewOfOurs(server, ours)))
          expect(text, path).toBe(before[path])
        expect(receiver.received.length).toBe(delivered)
      },
    ),
    { numRuns: 20 },
  )
  const bodies = theirs.received.map(({ body }) => body.toString()).join('\n')
  expect(bodies).toContain(OTHER)
  for (const mark of ours.marks.filter((each) => !ours.identifiers.request_id.includes(each)))
    expect(bodies).not.toContain(mark)
})
