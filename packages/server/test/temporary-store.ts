import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { registerDomain } from '../src/auth/register-domain.ts'
import { domainStore } from '../src/store/domains/domains.ts'
import type { Store } from '../src/store/store.ts'
import { dropDatabases, openStoreIn } from './test-database.ts'

export interface OwnDirectory {
  path: string
  remove(): Promise<void>
}

/** A temporary directory; `remove` also removes the databases made for it. */
export async function makeDirectory(): Promise<OwnDirectory> {
  const path = await mkdtemp(join(tmpdir(), 'inkling-'))
  return {
    path,
    async remove() {
      await dropDatabases(path)
      await rm(path, { recursive: true, force: true })
    },
  }
}

/** A directory for one test. */
export async function temporaryDirectory(): Promise<string> {
  const { path, remove } = await makeDirectory()
  onTestFinished(remove)
  return path
}

/** A real database for one test, with one domain. */
export async function temporaryStore(): Promise<{ store: Store; domainId: number; directory: string }> {
  const directory = await temporaryDirectory()
  const store = await openStoreIn(directory)
  onTestFinished(() => store.close())
  await registerDomain(store, 'shop.example', Date.UTC(2026, 0))
  const domain = await domainStore(store.reads).find('shop.example')
  return { store, domainId: domain?.id ?? 0, directory }
}
