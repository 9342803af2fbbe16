import type { ReadingValues } from '@inkling/contract'
import { Unsupported } from '../collect/unsupported.ts'

/** Since Chromium 94 and Firefox 99 the list is fixed: the PDF viewer under five names, or empty. */
export function plugins(): ReadingValues['plugins'] {
  const { plugins: list, mimeTypes, pdfViewerEnabled } = navigator
  if (!list || !mimeTypes) throw new Unsupported()
  return {
    names: Array.from(list, ({ name }) => name).sort(),
    mime_types: mimeTypes.length,
    pdf_viewer: pdfViewerEnabled ?? null,
  }
}
