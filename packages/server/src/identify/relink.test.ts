import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { identified, ordinaryReadings, value } from '../../test/identified.ts'
import { relink } from './relink.ts'

const visit = (hour: number, fonts: string[], cookieId: string = randomUUID()) =>
  identified({
    proof: undefined,
    cookieId,
    atMs: Date.UTC(2026, 5, 1, hour),
    readings: { ...ordinaryReadings(), typefaces: value(fonts) },
  })

test('reports which stored devices the present rules would merge and which they would split', async () => {
  const report = await relink([
    { visit: visit(0, ['Arial']), deviceId: 'one' },
    { visit: visit(1, ['Arial']), deviceId: 'other' },
    { visit: visit(2, ['Lato', 'Futura', 'Menlo']), deviceId: 'shared' },
    {
      visit: { ...visit(3, ['Roboto', 'Ubuntu']), client: { ...identified().client, browser: 'Opera' } },
      deviceId: 'shared',
    },
  ])
  expect(report).toEqual({
    visits: 4,
    devicesBefore: 3,
    devicesAfter: 3,
    merges: [['one', 'other']],
    splits: [{ deviceId: 'shared', devices: 2 }],
  })
})

test('finds nothing to change in what the present rules decided', async () => {
  const cookie = randomUUID()
  const stored = [0, 1, 2].map((hour) => ({ visit: visit(hour, ['Arial'], cookie), deviceId: 'one' }))
  expect(await relink(stored)).toMatchObject({ merges: [], splits: [], devicesAfter: 1 })
})
