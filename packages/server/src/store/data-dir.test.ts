import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryDirectory } from '../../test/temporary-store.ts'
import { lockDataDir } from './data-dir.ts'

const HOLD = `
  const { lockDataDir } = await import(process.argv[1])
  lockDataDir(process.argv[2])
  console.log('locked')
  setInterval(() => {}, 1_000)
`
const MODULE = new URL('./data-dir.ts', import.meta.url).href

test('a directory has one server at a time, also after a process is killed', async () => {
  const directory = await temporaryDirectory()
  const other = spawn(process.execPath, ['--input-type=module', '--eval', HOLD, MODULE, directory], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void other.kill('SIGKILL'))
  await once(other.stdout, 'data')
  const lock = () => lockDataDir(directory)
  expect(lock).toThrow(expect.objectContaining({ code: 'INK_COMMAND' }))
  expect(lock).toThrow(`another server is running on ${directory}`)

  other.kill('SIGKILL')
  await once(other, 'exit')
  const held = lock()
  expect(lock).toThrow(directory)
  held.release()
  lock().release()
})
