import { randomUUID } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { getHistory, postSnapshot, runningServer } from '../running-server.ts'
import { smallDisk, whyNoMounts } from './small-disk.ts'
import { storedRequestIds } from './stored-request-ids.ts'

const why = whyNoMounts()
const NAME =
  'on a full disk only stored identifications are acknowledged, and the server recovers when there is space'

/** Large, so that a few bodies need new pages. */
const body = (): string =>
  JSON.stringify({ user_hid: 'a', landing: { url: `https://shop.example/${'x'.repeat(4_000)}` } })

async function fill(path: string): Promise<void> {
  const file = await open(path, 'w')
  const block = Buffer.alloc(64 * 1024)
  try {
    for (;;) await file.write(block)
  } catch (error) {
    expect(error).toMatchObject({ code: 'ENOSPC' })
  } finally {
    await file.close()
  }
}

if (why) test.skip(`${NAME}: not run, ${why}`, () => {})
else
  test(NAME, async () => {
    const disk = smallDisk(48)
    const server = await runningServer({ settings: { INGEST_LIMIT_PER_MINUTE: '100000', DISK_FREE_MB: '0' } })
    const acknowledged: string[] = []
    /** Sends until a response has the status, and returns its body. */
    async function sendUntil(status: number, sendsMax: number): Promise<string> {
      for (let sends = 0; sends < sendsMax; sends += 1) {
        const requestId = randomUUID()
        const answer = await postSnapshot(server, requestId, body())
        const text = await answer.text()
        if (answer.status === 200) acknowledged.push(requestId)
        else expect([answer.status, text]).toEqual([503, '{"error":"server is busy"}\n'])
        if (answer.status === status) return text
      }
      throw new Error(`none of ${sendsMax} was answered with ${status}`)
    }

    await sendUntil(200, 1)
    await fill(join(disk, 'ballast'))
    await sendUntil(503, 5_000)
    await sendUntil(503, 5_000)
    // Reads need no space and no other node could take over, so the server stays ready.
    expect((await fetch(`${server.url}/ready`)).status).toBe(200)
    const page = await (await getHistory(server, 'latest/all')).json()
    expect(page).toMatchObject({ total: acknowledged.length })

    await rm(join(disk, 'ballast'))
    await sendUntil(200, 1)
    expect(await storedRequestIds(server.store)).toEqual(acknowledged.toSorted())
    await server.store.check()
  })
