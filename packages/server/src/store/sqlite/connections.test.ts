import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeDirectory } from '../../../test/temporary-store.ts'
import { openConnection, readerPool, type SqliteConnection } from './connections.ts'

async function pool(max: number) {
  const directory = await makeDirectory()
  const file = join(directory.path, 'readers.db')
  const opened: SqliteConnection[] = []
  const readers = readerPool({
    max,
    open() {
      const connection = openConnection({ file, readOnly: false })
      opened.push(connection)
      return connection
    },
  })
  onTestFinished(async () => {
    await readers.close()
    await directory.remove()
  })
  const answers: Promise<unknown>[] = []
  return {
    opened,
    readers,
    pending: () => opened.map((connection) => connection.pending()),
    /** Concurrent calls: a thread answers in a later turn of the event loop. */
    async call(count: number) {
      for (let made = 0; made < count; made++) {
        const connection = await readers.acquire()
        answers.push(connection.query('select 1 as one', []))
      }
    },
    answered: () => Promise.all(answers),
  }
}

test('the first query starts a connection, and an idle connection is used again', async () => {
  const { opened, call, answered } = await pool(2)
  expect(opened).toEqual([])
  await call(1)
  await answered()
  await call(1)
  await answered()
  expect(opened).toHaveLength(1)
})

test('another connection is opened when the others are busy, up to the maximum', async () => {
  const { pending, call, answered } = await pool(2)
  await call(1)
  expect(pending()).toEqual([1])
  await call(1)
  expect(pending()).toEqual([1, 1])
  await call(2)
  expect(pending()).toEqual([2, 2])
  await answered()
})

test('an answer is told before who waits for it goes on, so that no look-up misses what was committed', async () => {
  const directory = await makeDirectory()
  const order: string[] = []
  const file = join(directory.path, 'writer.db')
  const connection = openConnection({ file, readOnly: false }, () => order.push('told'))
  onTestFinished(async () => {
    await connection.close()
    await directory.remove()
  })
  await connection.query('select 1 as one', [])
  order.push('went on')
  expect(order).toEqual(['told', 'went on'])
})

test('a closed pool still answers earlier queries', async () => {
  const { readers, call, answered } = await pool(2)
  await call(2)
  await readers.close()
  expect(await answered()).toHaveLength(2)
})
