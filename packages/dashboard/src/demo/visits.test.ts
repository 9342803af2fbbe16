import type { HistoryRow } from '@inkling/contract'
import { expect, test } from 'vitest'
import { comparedVisits, type TabVisit, withVisit } from './visits.ts'

const row = (request_id: string, score = 0) => ({ request_id, score, ip: '127.0.0.1' }) as HistoryRow

test('the newest visit comes first and six are kept', () => {
  const visits = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((id) => row(id)).reduce(withVisit, [])
  expect(visits.map(({ request_id }) => request_id)).toEqual(['g', 'f', 'e', 'd', 'c', 'b'])
})

test('a refined row replaces its earlier version', () => {
  const visits = withVisit(withVisit(withVisit([], row('a')), row('b')), row('a', 30))
  expect(visits).toMatchObject([
    { request_id: 'b', score: 0 },
    { request_id: 'a', score: 30 },
  ])
})

test('visits of other windows are listed among those of this tab, newest first', () => {
  const visit = (request_id: string, created_at: string) => ({ request_id, created_at }) as TabVisit
  const mine = visit('mine', '2026-06-01 12:00:02.000')
  const theirs = [
    visit('later', '2026-06-01 12:00:03.000'),
    mine,
    visit('earlier', '2026-06-01 12:00:01.000'),
  ]
  expect(comparedVisits([mine], theirs)).toMatchObject([
    { request_id: 'later', elsewhere: true },
    { request_id: 'mine', elsewhere: false },
    { request_id: 'earlier', elsewhere: true },
  ])
})

test('only what the table shows is stored in the tab', () => {
  expect(withVisit([], row('a'))[0]).not.toHaveProperty('ip')
})
