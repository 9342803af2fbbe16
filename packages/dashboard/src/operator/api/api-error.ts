/** A request that the server refused, or that never reached it. */
export class ApiError extends Error {
  /** HTTP status; 0 when no answer came. */
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** What the server says went wrong, for a person. */
export async function refusalOf(response: Response): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => undefined)
  const text = typeof body === 'object' && body !== null && 'error' in body ? String(body.error) : ''
  return new ApiError(response.status, text === '' ? `The server answered ${response.status}.` : text)
}

/** @throws ApiError with status 0 when nobody answers */
export async function reach(input: URL, init: RequestInit): Promise<Response> {
  try {
    return await fetch(input, init)
  } catch (error) {
    if (init.signal?.aborted) throw error
    throw new ApiError(0, 'The server cannot be reached.')
  }
}
