import { geoEqualEarth, geoPath } from 'd3-geo'
import { feature } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'

interface CountryShape {
  /** As in the rows; undefined for land that has no code of its own there. */
  name: string | undefined
  /** Of an SVG path. */
  outline: string
}

interface Atlas extends Topology {
  objects: { countries: GeometryCollection<{ name: string }> }
}

/** Names of the rows that browsers have others for. */
const ROW_NAMES: Record<string, string> = {
  BA: 'Bosnia and Herzegovina',
  CD: 'Democratic Republic of the Congo',
  CG: 'Republic of the Congo',
  CI: 'Ivory Coast',
  MM: 'Myanmar',
  PS: 'Palestine',
  TT: 'Trinidad and Tobago',
}

const DISPLAYED = new Intl.DisplayNames(['en'], { type: 'region' })

/** @param id ISO 3166-1 numeric; a locale knows its letters by the aliases of Unicode (UTS 35) */
export function rowName(id: string | number | undefined, atlasName: string): string | undefined {
  if (id === undefined) return atlasName === 'Kosovo' ? atlasName : undefined
  const { region } = new Intl.Locale(`und-${String(id).padStart(3, '0')}`)
  return region && (ROW_NAMES[region] ?? DISPLAYED.of(region))
}

const ANTARCTICA = '010'

/** Outlines of all countries on a map whose areas are true (Equal Earth). */
export function countryShapes(atlas: Atlas, width: number, height: number): CountryShape[] {
  const { features } = feature(atlas, atlas.objects.countries)
  const inhabited = features.filter(({ id }) => id !== ANTARCTICA)
  const projection = geoEqualEarth().fitSize([width, height], {
    type: 'FeatureCollection',
    features: inhabited,
  })
  // A tenth of a pixel is fine enough, and half of the text.
  const path = geoPath(projection).digits(1)
  return inhabited.map((country) => ({
    name: rowName(country.id, country.properties.name),
    outline: path(country) ?? '',
  }))
}
