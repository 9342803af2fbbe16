import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCli } from '../../test/run-cli.ts'
import { temporaryDirectory } from '../../test/temporary-store.ts'

test('agents are listed with those of the operator’s own file, and rules for them are saved from a file', async () => {
  const directory = await temporaryDirectory()
  const file = async (name: string, content: unknown) => {
    await writeFile(join(directory, name), JSON.stringify(content))
    return join(directory, name)
  }
  const own = { id: 'stock', name: 'Stock checker', operator: 'We', category: 'tool' }
  const AGENTS = await file('agents.json', [own, { ...own, id: 'gptbot', name: 'Another' }])
  const run = (args: string[], settings = {}) =>
    runCli(args, { DATA_DIR: join(directory, 'data'), AGENTS, ...settings })

  const listed = JSON.parse((await run(['agents', 'list', '--json'])).stdout)
  expect(listed).toContainEqual(own)
  expect(listed.filter(({ id }: { id: string }) => id === 'gptbot')).toMatchObject([{ name: 'Another' }])
  expect(JSON.parse((await run(['agents', 'list', '--json'], { AGENTS: 'off' })).stdout)).toEqual([])

  await run(['domain', 'add', 'shop.example'])
  const rules = [{ action: 'deny', category: ['ai_training'] }]
  const saved = await run([
    'agents',
    'rules',
    'shop.example',
    '--set',
    await file('rules.json', rules),
    '--json',
  ])
  expect(JSON.parse(saved.stdout)).toEqual({ version: 1, rules })
  const wrong = await file('wrong.json', [{ action: 'limit' }])
  expect(await run(['agents', 'rules', 'shop.example', '--set', wrong])).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('0.per_minute: is required for limit'),
  })
  const missing = join(directory, 'missing.json')
  const notJson = import.meta.filename
  for (const [given, reason] of [
    [missing, `open '${missing}'`],
    [notJson, `${notJson} is not JSON`],
  ] as const)
    expect(await run(['agents', 'rules', 'shop.example', '--set', given])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(reason),
    })
  expect(JSON.parse((await run(['agents', 'rules', 'shop.example', '--json'])).stdout)).toEqual({
    version: 1,
    rules,
  })
})
