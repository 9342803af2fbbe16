import type { ReadingValues } from '@inkling/contract'
import { unsupported } from '../collect/unsupported.ts'

type Facts = ReadingValues['worker']

/** A thread that never answers is stopped then; the collector has given up on it before. */
const GIVE_UP_MS = 10_000

/**
 * The same facts from a worker, where scripts that forge the page's facts seldom reach. A page whose
 * Content-Security-Policy refuses blob workers makes Chromium report that; it cannot be known before.
 */
export function worker(): Promise<Facts> {
  if (typeof Worker === 'undefined') throw unsupported('Worker')

  const address = URL.createObjectURL(new Blob([`(${readFacts})()`], { type: 'text/javascript' }))
  const release = (): void => URL.revokeObjectURL(address)
  try {
    // A policy that refuses may throw here or fire the error event.
    const thread = new Worker(address)
    let limit: number | undefined
    return new Promise<Facts>((resolve, reject) => {
      limit = window.setTimeout(() => reject(new Error('no answer')), GIVE_UP_MS)
      thread.onmessage = ({ data }: MessageEvent<Facts>) => resolve(data)
      thread.onerror = (event) => {
        event.preventDefault()
        // Only what the thread itself throws has a message; one that could not start has none.
        reject(event.message ? new Error(event.message) : unsupported('blob worker'))
      }
    }).finally(() => {
      clearTimeout(limit)
      thread.terminate()
      release()
    })
  } catch {
    release()
    throw unsupported('blob worker')
  }
}

/** Sent to the worker as text, so it may use nothing from outside itself. */
function readFacts(): void {
  const { userAgent, platform, languages, hardwareConcurrency, deviceMemory } = navigator as Navigator & {
    deviceMemory?: number
  }
  let renderer: string | null = null
  try {
    const gl = new OffscreenCanvas(1, 1).getContext('webgl')
    if (gl) {
      renderer = String(gl.getParameter(gl.RENDERER))
      // Firefox names the GPU at once and warns about the extension; see the webgl source.
      const masked = renderer === 'WebKit WebGL' && gl.getExtension('WEBGL_debug_renderer_info')
      if (masked) renderer = String(gl.getParameter(masked.UNMASKED_RENDERER_WEBGL))
      gl.getExtension('WEBGL_lose_context')?.loseContext()
    }
  } catch {
    // No OffscreenCanvas (Safari before 17), or no WebGL in workers: the other facts still count.
  }
  const facts: Facts = {
    user_agent: userAgent,
    platform,
    languages: [...languages],
    cores: hardwareConcurrency ?? null,
    memory_gb: deviceMemory ?? null,
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    webgl_renderer: renderer,
  }
  postMessage(facts)
}
