import type { OverviewValues } from '@inkling/contract/account'
import { useRouter } from '@tanstack/react-router'
import type { MouseEvent } from 'react'
import atlas from 'world-atlas/countries-110m.json' with { type: 'json' }
import { countedText } from '../../parts/format.tsx'
import { formatQuery } from '../../search-params.ts'
import { countryShapes } from './country-shapes.ts'
import classes from './world-map.module.css'

const WIDTH = 800
const HEIGHT = 380
const SHAPES = countryShapes(atlas as unknown as Parameters<typeof countryShapes>[0], WIDTH, HEIGHT)

interface WorldMapProps {
  domain: string
  countries: OverviewValues
}

/** Where visits come from. The table of countries has the same numbers and links for keyboards and screen readers. */
export function WorldMap({ domain, countries: { values, from, to } }: WorldMapProps) {
  const { history } = useRouter()
  const counts = new Map(values.map(({ value, identifications }) => [value, identifications.value]))
  const most = Math.max(1, ...counts.values())
  const follow = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    const { pathname, search } = new URL(event.currentTarget.getAttribute('href') ?? '', document.baseURI)
    history.push(`${pathname}${search}`)
  }
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} className={classes.map} aria-hidden="true">
      {SHAPES.map(({ name, outline }) => {
        const count = counts.get(name ?? '') ?? 0
        if (name === undefined || count === 0)
          return <path key={outline} d={outline} className={classes.land} />
        return (
          <a
            key={outline}
            href={`d/${encodeURIComponent(domain)}/identifications${formatQuery({ country: name, from, to })}`}
            tabIndex={-1}
            onClick={follow}
          >
            <path d={outline} className={classes.visited} style={{ fillOpacity: strength(count, most) }}>
              <title>{`${name}: ${countedText(count, 'visit')}`}</title>
            </path>
          </a>
        )
      })}
    </svg>
  )
}

/** By orders of magnitude, because one country often has more than all others. */
const strength = (count: number, most: number): number =>
  0.25 + 0.75 * (most === 1 ? 1 : Math.log(count) / Math.log(most))
