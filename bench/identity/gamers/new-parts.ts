import { buyGamingPc } from '../population/markets.ts'
import type { Operator } from '../population/operator.ts'

/** A PC gets another GPU every two years, and a second monitor that the browser's window wanders to. */
export const operator: Operator = {
  name: 'new parts',
  evolve({ device }, days, chance) {
    if (device.cohort !== 'desktop' || !chance.happens(1 - Math.exp(-days / 730))) return
    const { gpu, gpuDriver } = buyGamingPc(chance).hardware
    device.hardware = { ...device.hardware, gpu, gpuDriver }
  },
  visit(visit, { cohort, index }, chance) {
    if (cohort !== 'desktop' || index % 3 !== 0 || !chance.happens(0.2)) return
    visit.hardware = { ...visit.hardware, screen: { width: 1920, height: 1080, pixelRatio: 1 } }
  },
}
