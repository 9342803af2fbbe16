import type { Attempt } from './attempt.ts'
import type { Measure } from './forge.ts'

/** How forgers answer for the curves of a ticket, whose points the agent's source tells. */

const STARTS = [36, 40]

const pointsOf = (ticket: string): number[][] =>
  STARTS.map((start) =>
    Array.from({ length: 12 }, (_, at) => (ticket.charCodeAt(start + (at % 4)) * (at * at + 7)) % 499),
  )

/** In a real Chromium, for this ticket. */
export const measuredIn =
  (attempt: Attempt): Measure =>
  async (ticket) => {
    const query = pointsOf(ticket).map((points) => ['curve', `M0 0C${points}`] as const)
    const page = await attempt.open({ engine: 'chromium', path: '/harvest', query })
    const { lengths } = await page.note<{ lengths: number[] }>('harvested')
    await page.close()
    return lengths
  }

const STEPS = 100_000

/** By arithmetic, as exactly as a number of the browser's precision can tell. */
export const computed: Measure = (ticket) =>
  pointsOf(ticket).map((points) => {
    let length = 0
    let start: [number, number] = [0, 0]
    for (let at = 0; at < points.length; at += 6) {
      const [ax, ay, bx, by, x, y] = points.slice(at, at + 6) as [
        number,
        number,
        number,
        number,
        number,
        number,
      ]
      const [sx, sy] = start
      let [beforeX, beforeY] = start
      for (let step = 1; step <= STEPS; step++) {
        const nowX = bezier(step / STEPS, sx, ax, bx, x)
        const nowY = bezier(step / STEPS, sy, ay, by, y)
        length += Math.hypot(nowX - beforeX, nowY - beforeY)
        beforeX = nowX
        beforeY = nowY
      }
      start = [x, y]
    }
    return Math.fround(length)
  })

const bezier = (t: number, start: number, first: number, second: number, end: number): number =>
  (1 - t) ** 3 * start + 3 * (1 - t) ** 2 * t * first + 3 * (1 - t) * t ** 2 * second + t ** 3 * end
