import type { ReadingValues } from '@inkling/contract'

/**
 * Each arrived in some version of each engine, so that the list tells a version that the user agent does not.
 * None depends on TLS, isolation, a flag or a page's policy: one browser must answer alike on every page.
 */
const FEATURES = [
  'AbortSignal.any',
  'Array.fromAsync',
  'Array.prototype.at',
  'Array.prototype.findLast',
  'Array.prototype.toSorted',
  'ArrayBuffer.prototype.transfer',
  'Atomics.pause',
  'CSSContainerRule',
  'CSSFunctionDeclarations',
  'CSSLayerBlockRule',
  'CSSNestedDeclarations',
  'CSSPositionTryRule',
  'CSSPropertyRule',
  'CSSStartingStyleRule',
  'CloseWatcher',
  'Document.parseHTMLUnsafe',
  'Element.prototype.checkVisibility',
  'Element.prototype.moveBefore',
  'Element.prototype.pseudo',
  'Element.prototype.setHTML',
  'Element.prototype.startViewTransition',
  'Error.captureStackTrace',
  'Error.isError',
  'FinalizationRegistry',
  'HTMLElement.prototype.autocorrect',
  'HTMLElement.prototype.showPopover',
  'HTMLScriptElement.supports',
  'HTMLSelectElement.prototype.showPicker',
  'Highlight',
  'Intl.DurationFormat',
  'Intl.Segmenter',
  'Intl.supportedValuesOf',
  'Iterator',
  'Iterator.concat',
  'Iterator.prototype.includes',
  'Iterator.zip',
  'Map.groupBy',
  'Map.prototype.getOrInsert',
  'Math.f16round',
  'Math.sumPrecise',
  'Object.hasOwn',
  'Promise.try',
  'Promise.withResolvers',
  'ReadableStream.from',
  'RegExp.escape',
  'RegExp.prototype.unicodeSets',
  'Response.json',
  'Set.prototype.union',
  'String.prototype.isWellFormed',
  'String.prototype.replaceAll',
  'SuppressedError',
  'Temporal',
  'Uint8Array.fromBase64',
  'URL.canParse',
  'URL.parse',
  'URLPattern',
  'ViewTransition',
  'WeakRef',
  'WebAssembly.JSTag',
  'WebAssembly.Suspending',
  'chrome',
  'mozInnerScreenX',
  'navigation',
  'safari',
  'scheduler',
  'structuredClone',
  'trustedTypes',
  'webkitConvertPointFromNodeToPage',
]

export const engine = (): ReadingValues['engine'] => ({
  features: FEATURES.filter(exists).join(' '),
  // 33 in V8, 37 in SpiderMonkey and JavaScriptCore, which break the line inside.
  // biome-ignore lint/security/noGlobalEval: only its text is read
  eval_length: String(globalThis.eval).length,
  error_style: errorStyle(),
})

/** Looks names up without calling a getter: on a prototype most of them throw. */
function exists(path: string): boolean {
  const names = path.split('.')
  const last = names.pop() ?? ''
  let object: unknown = window
  for (const name of names) object = (object as Record<string, unknown> | undefined)?.[name]
  return (typeof object === 'object' || typeof object === 'function') && object !== null && last in object
}

/** Mistakes whose message quotes no source text, so that building the agent anew changes nothing. */
const MISTAKES: readonly (() => unknown)[] = [
  () => new Array(-1),
  () => 'x'.repeat(-1),
  () => decodeURIComponent('%'),
  () => JSON.parse(''),
  () => Number(Symbol()),
]

const errorStyle = (): string => MISTAKES.map(messageOf).join('; ')

function messageOf(mistake: () => unknown): string {
  try {
    mistake()
    return ''
  } catch (error) {
    return error instanceof Error ? error.message : ''
  }
}
