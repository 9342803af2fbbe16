import { randomUUID } from 'node:crypto'
import { expect, inject, onTestFinished, test } from 'vitest'
import { openStore } from '../../src/store/open-store.ts'
import { temporaryDirectory, temporaryStore } from '../temporary-store.ts'
import { administer } from './administer.ts'

test('each test of this project has a PostgreSQL database of its own', async () => {
  const [one, other] = [await temporaryStore(), await temporaryStore()]
  expect([one.store.engine, other.store.engine]).toEqual(['postgres', 'postgres'])
  await one.store.writes.deleteFrom('domains').execute()
  expect(await other.store.reads.selectFrom('domains').select('name').execute()).toEqual([
    { name: 'shop.example' },
  ])
})

test('several nodes may start at the same time on an empty database', async () => {
  const { adminUrl = '' } = inject('testPostgres') ?? {}
  const name = `empty_${randomUUID().replaceAll('-', '')}`
  await administer(adminUrl, `create database ${name}`)
  onTestFinished(() => administer(adminUrl, `drop database ${name} with (force)`))
  const url = new URL(adminUrl)
  url.pathname = name
  const place = { dataDir: await temporaryDirectory(), databaseUrl: url.href }
  const stores = await Promise.all([openStore(place), openStore(place), openStore(place)])
  for (const store of stores) {
    expect(await store.reads.selectFrom('domains').selectAll().execute()).toEqual([])
    await store.close()
  }
})
