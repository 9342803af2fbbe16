import { randomUUID } from 'node:crypto'
import { chmod, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { installation } from '../resilience/service-process.ts'
import { postSnapshot } from '../running-server.ts'

test('other users of the machine can read no file of the data directory, whoever made it', async () => {
  const { directory, keys, serve } = await installation()
  // A directory that somebody else made, with files of an earlier release.
  await chmod(directory, 0o755)
  for (const name of await readdir(directory)) await chmod(join(directory, name), 0o644)
  await writeFile(join(directory, 'secrets.json.123'), '', { mode: 0o644 })
  const server = await serve()
  expect((await postSnapshot({ url: server.url, keys }, randomUUID())).status).toBe(200)
  const files = await readdir(directory, { recursive: true, withFileTypes: true })
  const modes = await Promise.all(
    files.map(async (entry) => {
      const { mode } = await stat(join(entry.parentPath, entry.name))
      return [entry.name, mode & 0o077]
    }),
  )
  expect(modes.length).toBeGreaterThan(3)
  expect(modes.filter(([, mode]) => mode !== 0)).toEqual([])
})
