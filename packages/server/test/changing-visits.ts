import { randomUUID } from 'node:crypto'
import { identified, ordinaryReadings, value } from './identified.ts'

/** Visits of a few machines, some of them clones, that change and lose their cookies. */
export function* changingVisits(count = 400) {
  const cookies = Array.from({ length: 40 }, () => randomUUID())
  for (let index = 0; index < count; index++) {
    const machine = (index * 7) % 40
    if (index % 9 === 0) cookies[machine] = randomUUID()
    yield identified({
      proof: undefined,
      atMs: Date.UTC(2026, 5, 1) + index * 3_600_000,
      cookieId: cookies[machine] ?? '',
      address: index % 4 === 0 ? `62.0.0.${index % 5}` : `84.0.${machine}.1`,
      readings: {
        ...ordinaryReadings(),
        // Twenty clones and twenty different machines.
        typefaces: value(machine < 20 ? ['Arial'] : ['Arial', `Font ${machine}`]),
        raster: value({ glyphs: `t${Math.floor(index / 150)}`, shapes: 'g', stable: true }),
      },
    })
  }
}
