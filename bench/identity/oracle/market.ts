import { chanceOf } from '../population/chance.ts'
import type { Cohort } from '../population/device.ts'
import { type Bought, buyAndroid, buyDesktop, buyFleetImage, buyIphone } from '../population/machines.ts'
import type { Society } from '../population/people.ts'
import type { Visit } from '../population/visits.ts'
import { driverOdds } from './look-odds.ts'

const SAMPLES = 60_000

const BUY: Record<Cohort, (chance: ReturnType<typeof chanceOf>) => Bought> = {
  desktop: buyDesktop,
  attacker: buyDesktop,
  android: buyAndroid,
  phone: buyIphone,
  fleet: buyFleetImage,
}

/** How often people of a cohort buy a machine that looks like a visit's, counted over many purchases. */
export function marketOf({ market }: Society): (cohort: Cohort, visit: Visit) => number {
  const counts = new Map<Cohort, Map<string, number>>()

  function countOf(cohort: Cohort): Map<string, number> {
    const known = counts.get(cohort)
    if (known) return known
    const chance = chanceOf(977)
    const found = new Map<string, number>()
    for (let sample = 0; sample < SAMPLES; sample++) {
      const text = signature((market?.[cohort] ?? BUY[cohort])(chance))
      found.set(text, (found.get(text) ?? 0) + 1)
    }
    counts.set(cohort, found)
    return found
  }

  return (cohort, visit) => {
    const { hardware, software } = visit
    // What nobody bought in so many purchases is rarer than one in twice as many.
    const share = (countOf(cohort).get(signature(visit)) ?? 0.3) / SAMPLES
    const isChromium = software.browser !== 'Firefox' && software.browser !== 'Safari'
    const driver = hardware.system === 'Windows' && isChromium ? driverOdds(hardware.gpuDriver) : 1
    return share * driver * (isChromium && !visit.insecure ? 1 / 120 : 1)
  }
}

function signature({ hardware, software }: Pick<Bought, 'hardware' | 'software'>): string {
  const { gpuDriver: _, mediaDevices, ...machine } = hardware
  const { build: __, fonts, ...rest } = software
  return JSON.stringify([machine, mediaDevices.length, rest, fonts.join()])
}
