import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeDirectory } from '../../../test/temporary-store.ts'
import { type Connection, openConnection, readerThreads } from './connections.ts'

async function threads(max: number, together: number) {
  const directory = await makeDirectory()
  const file = join(directory.path, 'reader-threads.db')
  const opened: Connection[] = []
  const source = readerThreads({
    max,
    together,
    open() {
      const connection = openConnection({ file, readOnly: false })
      opened.push(connection)
      return connection
    },
  })
  onTestFinished(async () => {
    await source.close()
    await directory.remove()
  })
  const answers: Promise<unknown>[] = []
  return {
    opened,
    source,
    waiting: () => opened.map((connection) => connection.pending()),
    /** Calls that are under way together: a thread answers in a later turn of the event loop. */
    async call(count: number) {
      for (let made = 0; made < count; made++) {
        const connection = await source.acquire()
        answers.push(connection.query('select 1 as one', []))
      }
    },
    answered: () => Promise.all(answers),
  }
}

test('no thread is started before somebody reads, and an idle one reads again', async () => {
  const { opened, call, answered } = await threads(2, 1)
  expect(opened).toEqual([])
  await call(1)
  await answered()
  await call(1)
  await answered()
  expect(opened).toHaveLength(1)
})

test('another thread is started when those before it have no room, up to the most', async () => {
  const { waiting, call, answered } = await threads(2, 3)
  await call(3)
  expect(waiting()).toEqual([3])
  await call(1)
  expect(waiting()).toEqual([3, 1])
  await call(4)
  expect(waiting()).toEqual([4, 4])
  await answered()
})

test('a closed source answers what was asked before', async () => {
  const { source, call, answered } = await threads(2, 1)
  await call(2)
  await source.close()
  expect(await answered()).toHaveLength(2)
})
