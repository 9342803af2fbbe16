import type { PointerNote } from './page/watch-input.ts'

/** One visit as its driver sees it. Page and benchmark are reached through the site, past the browser. */
export interface Visit {
  /** Address of the sign-up page. */
  url: string
  /** Another page of the same site, to begin from. */
  startUrl: string
  /** A new, empty folder for the browser's profile. */
  profile: string
  /** When the page to begin from is there. */
  started(): Promise<void>
  /** When everybody has looked at the page, before any input. */
  measured(): Promise<void>
  /** Where the pointer came to rest. */
  pointer(): Promise<PointerNote>
  /** When the verdict is final: the browser may go. */
  final(): Promise<void>
}

export function openVisit(origin: string, id: string, profile: string): Visit {
  const note = async (name: string): Promise<unknown> => {
    const answer = await fetch(`${origin}/visits/${id}/notes/${name}`)
    return answer.json()
  }
  return {
    url: `${origin}/signup?visit=${id}`,
    startUrl: `${origin}/start?visit=${id}`,
    profile,
    async started() {
      await note('started')
    },
    async measured() {
      await note('measured')
    },
    pointer: async () => (await note('pointer')) as PointerNote,
    async final() {
      await note('final')
    },
  }
}
