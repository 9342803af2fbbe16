import { driverOf } from '../population/machines.ts'
import type { Operator } from '../population/operator.ts'

/** A driver update changes what Chromium on Windows calls the GPU. */
export const operator: Operator = {
  name: 'GPU driver',
  evolve({ device }, days, chance) {
    if (device.hardware.gpuDriver === '' || !chance.happens(1 - Math.exp(-days / 400))) return
    device.hardware = { ...device.hardware, gpuDriver: driverOf(chance) }
  },
}
