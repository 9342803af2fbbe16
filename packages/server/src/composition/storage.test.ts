import { expect, test } from 'vitest'
import { runCli } from '../../test/run-cli.ts'
import { runningServer } from '../../test/running-server.ts'

test('a second server on a directory is refused in words, and commands still work', async () => {
  const { directory, store } = await runningServer()
  const settings = { DATA_DIR: directory, PORT: '0', FEEDS: 'off', TURN_PORT: 'off' }
  expect((await runCli(['domain', 'list'], settings)).status).toBe(0)
  // With PostgreSQL any number of servers is welcome.
  if (store.engine !== 'sqlite') return
  const second = await runCli(['serve'], settings)
  expect(second.status).toBe(1)
  expect(second.stderr).toContain(`another server is running on ${directory}`)
})
