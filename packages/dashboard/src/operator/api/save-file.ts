/** Told while a file comes in. */
export type Progress = (bytes: number) => void

/** Reads a streamed answer to its end and hands it to the browser as a download. */
export async function saveFile(response: Response, name: string, progress: Progress): Promise<void> {
  const parts: Uint8Array<ArrayBuffer>[] = []
  let bytes = 0
  for await (const part of chunksOf(response)) {
    parts.push(part)
    bytes += part.byteLength
    progress(bytes)
  }
  const type = response.headers.get('content-type') ?? 'application/octet-stream'
  const url = URL.createObjectURL(new Blob(parts, { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}

/** By hand: not every browser lets a stream be iterated. */
async function* chunksOf(response: Response): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const reader = response.body?.getReader()
  if (!reader) return
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    yield value
  }
}

/** Of a size for a person: `812 KB`, `3.4 MB`. */
export const sizeText = (bytes: number): string =>
  bytes < 1_000_000
    ? `${Math.ceil(bytes / 1_000)} KB`
    : bytes < 1_000_000_000
      ? `${(bytes / 1_000_000).toFixed(1)} MB`
      : `${(bytes / 1_000_000_000).toFixed(1)} GB`
