import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryDirectory } from '../../test/temporary-store.ts'
import { readDemoKeys, renewDemoKey, saveDemoKeys } from './demo-keys.ts'

const KEYS = { domain: 'localhost', public_key: 'p1', api_key: 'a1' }

test('the keys outlive a restart, for the owner only', async () => {
  const directory = await temporaryDirectory()
  expect(await readDemoKeys(directory)).toBeUndefined()
  await saveDemoKeys(directory, KEYS)
  expect(await readDemoKeys(directory)).toEqual(KEYS)
  expect((await stat(join(directory, 'demo.json'))).mode & 0o777).toBe(0o600)
})

test('a rotation of the demo’s domain is followed, one of another domain is not', async () => {
  const directory = await temporaryDirectory()
  await renewDemoKey(directory, 'localhost', 'api', 'a2')
  expect(await readDemoKeys(directory)).toBeUndefined()
  await saveDemoKeys(directory, KEYS)
  await renewDemoKey(directory, 'shop.example', 'api', 'a2')
  await renewDemoKey(directory, 'localhost', 'public', 'p2')
  expect(await readDemoKeys(directory)).toEqual({ ...KEYS, public_key: 'p2' })
})

test.each(['', '{"domain":"loc', '{"domain":"localhost"}'])('a damaged file is no demo: %j', async (text) => {
  const directory = await temporaryDirectory()
  await writeFile(join(directory, 'demo.json'), text)
  expect(await readDemoKeys(directory)).toBeUndefined()
  await renewDemoKey(directory, 'localhost', 'api', 'a2')
})
