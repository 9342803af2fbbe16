import { expect, test } from 'vitest'
import atlas from 'world-atlas/countries-110m.json' with { type: 'json' }
import { countryOfCode } from '../../server/src/enrich/ip/country-table.ts'
import { rowName } from '../src/operator/pages/overview/country-shapes.ts'

test('a country of the map has the name that its visits have', () => {
  const wrong = atlas.objects.countries.geometries.flatMap(({ id, properties: { name } }) => {
    if (id === undefined) return []
    const { region = '' } = new Intl.Locale(`und-${id}`)
    return rowName(id, name) === countryOfCode(region)?.name ? [] : [name]
  })
  expect(wrong).toEqual([])
  expect(rowName(undefined, 'Kosovo')).toBe(countryOfCode('XK')?.name)
})
