import { onTestFinished } from 'vitest'
import { openServerSecrets } from '../src/auth/server-secrets.ts'
import { readSubjectHashes } from '../src/store/velocity/subject-hashes.ts'
import { temporaryStore } from './temporary-store.ts'
import { openStoreIn } from './test-database.ts'

/** A store whose visits are counted, with the hashes that they are counted by. */
export async function countedStore() {
  const one = await temporaryStore()
  await openServerSecrets(one.store.secrets)
  const hashes = await readSubjectHashes(one.store.secrets)
  /** What another node of the installation would have open. */
  async function anotherNode() {
    const store = await openStoreIn(one.directory)
    onTestFinished(() => store.close())
    return store
  }
  return { ...one, hashes, anotherNode }
}
