/** Browsers let requests outlive their page up to 64 KB for all that are under way. */
const KEEPALIVE_BYTES_MAX = 60 * 1_024

const RETRY_AFTER_MS = [500, 2_000]

/**
 * Posts a body, again after a network failure or a server error. The server counts one body per request
 * ID, so a second arrival changes nothing. Never rejects: nobody waits for it.
 */
export async function post(url: string, body: string | Blob): Promise<void> {
  for (const waitMs of [...RETRY_AFTER_MS, undefined]) {
    if ((await attempt(url, body)) || waitMs === undefined) return
    await new Promise((resolve) => setTimeout(resolve, waitMs))
  }
}

/** Whether that was all: a refusal is final, only trouble on the way is worth another try. */
async function attempt(url: string, body: string | Blob): Promise<boolean> {
  try {
    // A text body or one without a type, and no header of ours: such a request needs no preflight.
    const { status } = await fetch(url, {
      method: 'POST',
      mode: 'cors',
      credentials: 'omit',
      keepalive: new Blob([body]).size < KEEPALIVE_BYTES_MAX,
      body,
    })
    return status < 500
  } catch {
    return false
  }
}
