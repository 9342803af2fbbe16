const SVG = 'http://www.w3.org/2000/svg'
/** Where the two curves stand in a ticket, four characters each. */
const STARTS = [36, 40]

/**
 * The lengths of the two curves that a ticket asks for; null in a browser without SVG. The last digits are those of the
 * engine's own approximation, so they cannot be known without it. No setting, screen or font changes them.
 */
export function curveLengths(ticket: string): number[] | null {
  try {
    return STARTS.map((start) => {
      const path = document.createElementNS(SVG, 'path')
      const points = [...Array(12)].map(
        (_, at) => (ticket.charCodeAt(start + (at % 4)) * (at * at + 7)) % 499,
      )
      path.setAttribute('d', `M0 0C${points}`)
      return path.getTotalLength()
    })
  } catch {
    return null
  }
}
