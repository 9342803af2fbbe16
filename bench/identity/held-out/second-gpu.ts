import type { Operator } from '../population/operator.ts'

/** A laptop with two GPUs uses either one, depending on its battery. */
export const operator: Operator = {
  name: 'second GPU',
  visit(visit, { index, cohort, hardware }, chance) {
    if (cohort !== 'desktop' || index % 15 !== 0 || hardware.gpu.startsWith('Intel') || !chance.happens(0.4))
      return
    visit.hardware = { ...visit.hardware, gpu: 'Intel|Intel(R) UHD Graphics' }
  },
}
