import { type Child, flatten } from './element.ts'

const painted = new WeakMap<HTMLElement, string>()

/**
 * Fills an element, but only when what it shows has changed: polling must not close a fold or take
 * the focus. Across a real change, elements with the same `data-keep` pass both on.
 */
export function paint(target: HTMLElement, shown: unknown, content: () => Child): void {
  const key = JSON.stringify(shown) ?? ''
  if (painted.get(target) === key) return
  painted.set(target, key)

  const opened = [...target.querySelectorAll<HTMLDetailsElement>('details[open][data-keep]')].map(keepName)
  const active = document.activeElement
  const focused = active instanceof HTMLElement && target.contains(active) ? keepName(active) : undefined

  target.replaceChildren(...flatten([content()]))

  for (const kept of target.querySelectorAll<HTMLElement>('[data-keep]')) {
    if (kept instanceof HTMLDetailsElement && opened.includes(keepName(kept))) kept.open = true
    if (focused !== undefined && keepName(kept) === focused) kept.focus({ preventScroll: true })
  }
}

const keepName = (node: HTMLElement): string | undefined => node.dataset.keep
