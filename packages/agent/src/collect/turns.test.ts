import { expect, test } from 'vitest'
import { nextTask } from './turns.ts'

test('gives the page a turn between two that wait for theirs', async () => {
  const ran: string[] = []
  const page = new MessageChannel()
  page.port1.onmessage = () => {
    ran.push('page')
    page.port2.postMessage(0)
  }
  page.port2.postMessage(0)
  const wait = async (name: string) => {
    await nextTask()
    ran.push(name)
  }
  await Promise.all([wait('one'), wait('two')])
  page.port1.close()
  expect(ran.slice(ran.indexOf('one')).join()).toMatch(/^one,page,.*two/)
})
