import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCli } from '../../test/run-cli.ts'
import { temporaryDirectory } from '../../test/temporary-store.ts'

test('rules are checked, added from a file, turned on, tested and removed', async () => {
  const directory = await temporaryDirectory()
  const run = (...args: string[]) => runCli(['rules', ...args], { DATA_DIR: join(directory, 'data') })
  const json = async (...args: string[]) => JSON.parse((await run(...args, '--json')).stdout)
  await runCli(['domain', 'add', 'shop.example'], { DATA_DIR: join(directory, 'data') })
  const file = join(directory, 'rules.json')
  const save = (rules: object[]) => writeFile(file, JSON.stringify(rules))

  const rule = { name: 'Tor', condition: 'flags.tor', effect: { action: 'deny' } }
  await save([rule, { ...rule, name: 'Typo', condition: 'flags.tor &&\n flags.thor' }])
  expect(await run('add', 'shop.example', file)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('Typo: line 2, column 8: No such key: thor'),
  })
  expect(await json('list', 'shop.example')).toEqual([])
  await save([rule])
  expect(await json('add', 'shop.example', file)).toMatchObject([{ id: 1, version: 1, state: 'off' }])
  expect(await json('state', 'shop.example', '1', 'on')).toMatchObject({ id: 1, version: 2, state: 'on' })
  expect(await json('test', 'shop.example', '--purpose', 'login', '--rules', file)).toMatchObject({
    visits: 0,
    changed: 0,
    rules: [{ name: 'Tor' }, { name: 'Tor' }],
  })
  expect(await json('remove', 'shop.example', '1')).toEqual({ removed: 1 })
  for (const change of [['remove'], ['state', 'on']]) {
    const [command = '', ...rest] = change
    expect(await run(command, 'shop.example', '1', ...rest)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(
        'the domain shop.example has no rule 1; inkling rules list shop.example lists them',
      ),
    })
  }
  expect(await json('list', 'shop.example')).toEqual([])
})

test('a ready-made set is added in shadow; another name is a wrong use, which is told with the names', async () => {
  const DATA_DIR = join(await temporaryDirectory(), 'data')
  await runCli(['domain', 'add', 'shop.example'], { DATA_DIR })
  const addSet = (set: string) => runCli(['rules', 'add-set', 'shop.example', set, '--json'], { DATA_DIR })
  const added: { state: string }[] = JSON.parse((await addSet('login')).stdout)
  expect(new Set(added.map(({ state }) => state))).toEqual(new Set(['shadow']))
  expect(await addSet('shipping')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('Allowed choices are signup, login'),
  })
})
