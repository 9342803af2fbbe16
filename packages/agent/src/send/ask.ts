interface AskInit extends RequestInit {
  /** Called with the answer; what it throws counts as a failure. */
  seen?: (answer: Response) => void
}

/**
 * The text of a request's answer, which is asked for again when the network or the server fails, each time after a wait.
 * A refusal is an answer. Empty when all fail; never rejects.
 * @param waitsMs before each try. Where the first is 0 the request is made at once, as a page that is left needs it.
 */
export async function ask(url: string, waitsMs: readonly number[], init: AskInit): Promise<string> {
  for (const waitMs of waitsMs) {
    if (waitMs) await new Promise((resolve) => setTimeout(resolve, waitMs))
    try {
      const answer = await fetch(url, { credentials: 'omit', ...init })
      const text = await answer.text()
      if (answer.status < 500) {
        init.seen?.(answer)
        return text
      }
    } catch {
      // Offline, or blocked by a policy: they look the same.
    }
  }
  return ''
}
