import type { PointerNote } from './page/watch-input.ts'

/**
 * One visit from the driver's view. The driver reaches page and benchmark through the site, not through
 * the browser.
 */
export interface Visit {
  /** Address of the sign-up page. */
  url: string
  /** A page with the sign-up page in a frame. */
  framedUrl: string
  /** A page that goes on to the sign-up page once something reads the console; Chromium only. */
  inspectedUrl: string
  /** Another page of the same site, as a starting point. */
  startUrl: string
  /** A new, empty folder for the browser's profile. */
  profile: string
  /** Resolves when the starting page has loaded. */
  started(): Promise<void>
  /** Resolves when all detectors have run and the verdict at load was read. Input begins after that. */
  measured(): Promise<void>
  /** Where the pointer rests. */
  pointer(): Promise<PointerNote>
  /** Resolves when the verdict is final and the browser may close. */
  final(): Promise<void>
}

export function openVisit(origin: string, id: string, profile: string): Visit {
  const note = async (name: string): Promise<unknown> => {
    const answer = await fetch(`${origin}/visits/${id}/notes/${name}`)
    return answer.json()
  }
  return {
    url: `${origin}/signup?visit=${id}`,
    framedUrl: `${origin}/framed?visit=${id}`,
    inspectedUrl: `${origin}/inspected?visit=${id}`,
    startUrl: `${origin}/start?visit=${id}`,
    profile,
    async started() {
      await note('started')
    },
    async measured() {
      await note('ready')
    },
    pointer: async () => (await note('pointer')) as PointerNote,
    async final() {
      await note('final')
    },
  }
}
