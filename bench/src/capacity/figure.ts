/** A figure that the plan stands on. */
export interface Figure {
  value: number
  unit: string
  what: string
  /** The command that prints it, from the root of the repository. */
  command: string
  date: string
  /** What makes it better or worse than it would be elsewhere. */
  note: string
}

export const INGEST = 'npm run bench:ingest -- --rounds 3 --seconds 3'
export const SERVICES = 'npm --prefix bench run services'
