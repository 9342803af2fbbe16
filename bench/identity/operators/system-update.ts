import type { Operator } from '../population/operator.ts'

const NEXT: Record<string, Record<string, string>> = {
  Windows: { '10.0.0': '15.0.0', '15.0.0': '19.0.0' },
  macOS: { '13.7.8': '14.8.0', '14.8.0': '15.6.0', '15.6.0': '15.7.1', '15.7.1': '26.1.0' },
  Android: { '12.0.0': '13.0.0', '13.0.0': '14.0.0', '14.0.0': '15.0.0', '15.0.0': '16.0.0' },
  iOS: { '17.7': '18.7', '18.7': '26.1', '26.0': '26.1' },
}

/** A new system version draws emoji and letters differently. */
export const operator: Operator = {
  name: 'system update',
  evolve({ device }, days, chance) {
    const { system } = device.hardware
    const next = NEXT[system]?.[device.software.systemVersion]
    if (next === undefined || !chance.happens(1 - Math.exp(-days / (system === 'iOS' ? 220 : 450)))) return
    const { software } = device
    const { raster } = software
    device.software = {
      ...software,
      systemVersion: next,
      raster: system === 'Android' ? `${raster.split(' ')[0]} ${next}` : raster,
      ...(system === 'iOS' && { build: next, major: Number.parseInt(next, 10) }),
    }
  },
}
