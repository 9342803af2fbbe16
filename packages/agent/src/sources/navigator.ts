import type { ReadingValues } from '@inkling/contract'
import { Unsupported } from '../collect/source.ts'

export const userAgent = (): string => navigator.userAgent

/** Deprecated and frozen per system. A browser that claims another system often forgets to change it. */
export const platform = (): string => navigator.platform

/**
 * A constant pair per engine, which gives an engine away behind another one's user agent
 * (https://html.spec.whatwg.org/multipage/system-state.html#client-identification).
 */
export const vendor = (): ReadingValues['vendor'] => ({
  vendor: navigator.vendor,
  product_sub: navigator.productSub,
})

export function hardware(): ReadingValues['hardware'] {
  // Chromium only, in secure contexts, and rounded to a power of two.
  const { deviceMemory } = navigator as Navigator & { deviceMemory?: number }
  return {
    cores: navigator.hardwareConcurrency ?? null,
    memory_gb: deviceMemory ?? null,
    max_touch_points: navigator.maxTouchPoints ?? 0,
  }
}

/**
 * Fixed since Chromium 94 and Firefox 99: the PDF viewer under five names, or nothing
 * (https://html.spec.whatwg.org/multipage/system-state.html#pdf-viewing-support).
 */
export function plugins(): ReadingValues['plugins'] {
  const { plugins: list, mimeTypes, pdfViewerEnabled } = navigator
  if (!list || !mimeTypes) throw new Unsupported()
  return {
    names: [...list].map(({ name }) => name).sort(),
    mime_types: mimeTypes.length,
    pdf_viewer: pdfViewerEnabled ?? null,
  }
}

interface NetworkInformation {
  effectiveType?: string
  saveData?: boolean
}

/** Chromium only. Firefox for Android has the object, but neither of the two values. */
export function connection(): ReadingValues['connection'] {
  const { connection: information } = navigator as Navigator & { connection?: NetworkInformation }
  if (!information) throw new Unsupported()
  return { effective_type: information.effectiveType ?? null, save_data: information.saveData ?? null }
}
