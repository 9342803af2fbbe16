import { driverOf } from '../population/machines.ts'
import type { Operator } from '../population/operator.ts'

/** A driver update changes the name of the GPU in Chromium on Windows. */
export const operator: Operator = {
  name: 'GPU driver',
  evolve({ device }, days, chance) {
    if (device.hardware.gpuDriver === '' || !chance.happens(1 - Math.exp(-days / 400))) return
    device.hardware = { ...device.hardware, gpuDriver: driverOf(chance) }
  },
}
