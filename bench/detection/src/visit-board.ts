/** Named notes about a visit. A reader waits for a note that does not exist yet. */
export interface VisitBoard {
  /** A new note replaces an earlier one with the same name. */
  post(visit: string, name: string, value: unknown): void
  /** The latest note, or undefined. */
  latest(visit: string, name: string): unknown
  wait(visit: string, name: string): Promise<unknown>
}

interface Note {
  first: PromiseWithResolvers<unknown>
  latest: unknown
}

export function createVisitBoard(): VisitBoard {
  const notes = new Map<string, Note>()
  const note = (visit: string, name: string): Note => {
    const key = `${visit}/${name}`
    const known = notes.get(key)
    if (known) return known
    const added: Note = { first: Promise.withResolvers(), latest: undefined }
    notes.set(key, added)
    return added
  }
  return {
    post(visit, name, value) {
      const posted = note(visit, name)
      posted.latest = value
      posted.first.resolve(value)
    },
    latest: (visit, name) => note(visit, name).latest,
    async wait(visit, name) {
      await note(visit, name).first.promise
      return note(visit, name).latest
    },
  }
}
