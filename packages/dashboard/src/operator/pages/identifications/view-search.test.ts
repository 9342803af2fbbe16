import { NewView, type SavedView } from '@inkling/contract/account'
import { expect, test } from 'vitest'
import { changedSearch, parseTableSearch, withoutFilters } from './table-search.ts'
import { isChanged, keptQuery, linkOfView, searchOfView, unsavedFilters } from './view-search.ts'

const SEARCH = parseTableSearch({
  not_country: ['Germany', "Côte d'Ivoire"],
  agent: 'A~b(1)*!',
  sort: 'riskiest',
  columns: 'time,score',
  live: 'on',
  user_hid: 'ada',
  not_user_hid: ['ben', 'eve'],
  ip: '192.0.2.0/24',
})
const VIEW: SavedView = {
  id: '9f31',
  page: 'identifications',
  name: 'Abroad',
  search: keptQuery(SEARCH),
  shared: true,
  owner: null,
  changeable: true,
  changed_at: '2026-11-21T00:00:00.000Z',
}

test('a view keeps filters, order and columns as the API takes them, and no identifiers', () => {
  expect(NewView.parse({ page: 'identifications', name: 'Abroad', search: VIEW.search }).search).toBe(
    VIEW.search,
  )
  expect(searchOfView(VIEW)).toEqual({
    not_country: ['Germany', "Côte d'Ivoire"],
    agent: 'A~b(1)*!',
    sort: 'riskiest',
    columns: 'time,score',
    view: '9f31',
  })
  expect(unsavedFilters(SEARCH)).toEqual(['user_hid', 'ip', 'not_user_hid'])
})

test('an address differs from its view by what the view keeps, in whatever order', () => {
  const { view, ...others } = searchOfView(VIEW)
  const reversed = Object.fromEntries([['view', view], ...Object.entries(others).reverse()])
  expect(isChanged(VIEW, reversed)).toBe(false)
  expect(isChanged(VIEW, { ...reversed, device_id: 'x', live: 'on' })).toBe(false)
  expect(isChanged(VIEW, { ...reversed, sort: 'newest' })).toBe(true)
})

test('without its filters an address is that of no view, which would bring them back', () => {
  expect(withoutFilters(searchOfView(VIEW))).toEqual({ sort: 'riskiest', columns: 'time,score' })
  expect(changedSearch({ view: '9f31', country: 'France' }, { country: [] })).toEqual({})
})

test('the link of a shared view names it, and that of one’s own has its filters', () => {
  const page = 'https://a.example/dashboard/d/shop.example/identifications?sort=safest'
  const path = 'https://a.example/dashboard/d/shop.example/identifications'
  expect(linkOfView(VIEW, page)).toBe(`${path}?view=9f31`)
  expect(linkOfView({ ...VIEW, shared: false }, page)).toBe(`${path}?${VIEW.search}`)
})
